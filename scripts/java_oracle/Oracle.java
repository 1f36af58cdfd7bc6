import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.transforms.Transformation;
import org.apache.kafka.connect.transforms.predicates.Predicate;

/** Reads one described record and chain of transforms per line, writes what became of it. */
public final class Oracle {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int PARTITION = 101;
    private static final long OFFSET = 102;
    private static final long TIME = 1_700_000_000_000L;

    public static void main(String[] arguments) throws Exception {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream answers = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            answers.println(JSON.writeValueAsString(answer(JSON.readTree(line))));
        }
        answers.flush();
    }

    private static ObjectNode answer(JsonNode question) {
        Sample sample = new Sample();
        ObjectNode answer = JSON.createObjectNode();
        try {
            if (question.has("topics")) {
                ArrayNode topics = answer.putArray("topics");
                for (JsonNode topic : question.get("topics")) {
                    topics.add(after(question, topic.asText(), sample).topic());
                }
                return answer;
            }
            SinkRecord record = after(question, question.get("topic").asText(), sample);
            answer.put("topic", record.topic());
            if (question.has("value")) {
                ObjectNode fields = answer.putObject("fields");
                tell(fields, record.valueSchema(), record.value(), "$value", "", sample);
                tell(fields, record.keySchema(), record.key(), "$key", "$key.", sample);
            }
        } catch (Exception | StackOverflowError refused) {
            answer.removeAll();
            answer.put("error", refused.getClass().getName());
        }
        return answer;
    }

    private static SinkRecord after(JsonNode question, String topic, Sample sample)
            throws Exception {
        SinkRecord record = record(question, topic, sample);
        for (JsonNode step : question.get("steps")) {
            record = step(step, record);
        }
        return record;
    }

    private static SinkRecord record(JsonNode question, String topic, Sample sample) {
        String envelope = question.path("envelope").asBoolean() ? "made.here.Envelope" : null;
        Schema value = Sample.schema(question.path("value"), envelope);
        Schema key = Sample.schema(question.path("key"), null);
        Object filledValue = sample.fill(value, "$value", "");
        Object filledKey = sample.fill(key, "$key", "$key.");
        sample.remember(topic, "$topic");
        sample.remember(PARTITION, "$partition");
        sample.remember(OFFSET, "$offset");
        sample.remember(TIME, "$timestamp");
        SinkRecord record = new SinkRecord(
                topic, PARTITION, key, filledKey, value, filledValue, OFFSET, TIME,
                TimestampType.CREATE_TIME);
        question.path("headers").properties().forEach(
                header -> record.headers().add(
                        header.getKey(), JSON.convertValue(header.getValue(), Object.class), null));
        return record;
    }

    @SuppressWarnings("unchecked")
    private static SinkRecord step(JsonNode step, SinkRecord record) throws Exception {
        try (Transformation<SinkRecord> transform =
                (Transformation<SinkRecord>) configured(step)) {
            transform.configure(options(step));
            if (!step.has("predicate")) {
                return transform.apply(record);
            }
            JsonNode condition = step.get("predicate");
            try (Predicate<SinkRecord> predicate = (Predicate<SinkRecord>) configured(condition)) {
                predicate.configure(options(condition));
                boolean negate = step.path("negate").asText().equals("true");
                return predicate.test(record) != negate ? transform.apply(record) : record;
            }
        }
    }

    private static Object configured(JsonNode described) throws Exception {
        return Class.forName(described.get("type").asText()).getDeclaredConstructor().newInstance();
    }

    private static Map<String, String> options(JsonNode described) {
        Map<String, String> options = new HashMap<>();
        described.properties().forEach(
                option -> options.put(option.getKey(), option.getValue().asText()));
        options.keySet().removeAll(java.util.List.of("type", "predicate", "negate"));
        return options;
    }

    /** Each field as its type, then "<" and its origin where that is another path or none. */
    private static void tell(
            ObjectNode fields, Schema schema, Object value, String path, String prefix,
            Sample sample) {
        if (schema == null) {
            return;
        }
        if (schema.type() != Schema.Type.STRUCT) {
            String origin = sample.origin(value);
            String from = origin == null ? "<" : origin.equals(path) ? "" : "<" + origin;
            fields.put(path, type(schema) + from);
            return;
        }
        for (Field field : schema.fields()) {
            String inner = prefix + field.name();
            Object held = value == null ? null : ((Struct) value).get(field);
            tell(fields, field.schema(), held, inner, inner + ".", sample);
        }
    }

    private static String type(Schema schema) {
        String name = schema.name();
        boolean logical = name != null && name.startsWith("org.apache.kafka.connect.data.");
        String type = logical ? name.substring(name.lastIndexOf('.') + 1) : schema.type().getName();
        return type.toLowerCase();
    }

    private Oracle() {}
}
