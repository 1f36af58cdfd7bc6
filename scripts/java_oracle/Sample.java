import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.data.Time;
import org.apache.kafka.connect.data.Timestamp;

/** A record made for a described schema, in which no two fields hold the same value. */
final class Sample {
    private final Map<String, String> pathByValue = new HashMap<>();
    // True becomes 1 when it is cast, so no field holds 1.
    private int next = 2;

    /** The schema that is described, a string if none is; a "?" behind a type means optional. */
    static Schema schema(JsonNode described, String name) {
        if (!described.isObject()) {
            return leaf(described.asText("string"));
        }
        SchemaBuilder struct = SchemaBuilder.struct().name(name);
        described.properties().forEach(
                field -> struct.field(field.getKey(), schema(field.getValue(), null)));
        return struct.build();
    }

    private static Schema leaf(String text) {
        boolean optional = text.endsWith("?");
        String type = optional ? text.substring(0, text.length() - 1) : text;
        SchemaBuilder builder = switch (type) {
            case "array" -> SchemaBuilder.array(Schema.STRING_SCHEMA);
            case "map" -> SchemaBuilder.map(Schema.STRING_SCHEMA, Schema.STRING_SCHEMA);
            case "timestamp" -> Timestamp.builder();
            case "date" -> org.apache.kafka.connect.data.Date.builder();
            case "time" -> Time.builder();
            case "decimal" -> Decimal.builder(0);
            default -> new SchemaBuilder(Schema.Type.valueOf(type.toUpperCase()));
        };
        return (optional ? builder.optional() : builder).build();
    }

    /** A value of the schema, remembered by the path that it has in the record. */
    Object fill(Schema schema, String path, String prefix) {
        if (schema.type() != Schema.Type.STRUCT) {
            // An envelope's kind of change is the one text that a transform understands.
            Object value = path.equals("op") ? "u" : value(schema, next++);
            remember(value, path);
            return value;
        }
        Struct struct = new Struct(schema);
        for (org.apache.kafka.connect.data.Field field : schema.fields()) {
            String inner = prefix + field.name();
            struct.put(field, fill(field.schema(), inner, inner + "."));
        }
        return struct;
    }

    /** That a value, wherever it is met again, comes from the path. */
    void remember(Object value, String path) {
        if (!(value instanceof Boolean)) {
            pathByValue.put(comparable(value), path);
        }
    }

    /** The path of the value in the record that was filled, or null. */
    String origin(Object value) {
        return value == null ? null : pathByValue.get(comparable(value));
    }

    private static Object value(Schema schema, int number) {
        if (schema.name() != null) {
            return schema.name().equals(Decimal.LOGICAL_NAME)
                    ? BigDecimal.valueOf(number) : new Date(number);
        }
        String text = Integer.toString(number);
        return switch (schema.type()) {
            case INT8 -> (byte) number;
            case INT16 -> (short) number;
            case INT32 -> number;
            case INT64 -> (long) number;
            case FLOAT32 -> (float) number;
            case FLOAT64 -> (double) number;
            case BOOLEAN -> Boolean.TRUE;
            case BYTES -> new byte[] {(byte) number};
            case ARRAY -> List.of(text);
            case MAP -> Map.of("k", text);
            default -> text;
        };
    }

    private static String comparable(Object value) {
        if (value instanceof Number number) {
            return Long.toString(number.longValue());
        }
        if (value instanceof Date date) {
            return Long.toString(date.getTime());
        }
        if (value instanceof byte[] bytes) {
            return bytes.length == 1 ? Byte.toString(bytes[0]) : "";
        }
        if (value instanceof List<?> list) {
            return list.isEmpty() ? "" : comparable(list.get(0));
        }
        if (value instanceof Map<?, ?> map) {
            return map.isEmpty() ? "" : comparable(map.values().iterator().next());
        }
        return String.valueOf(value).replaceFirst("^(\\d+)\\.0$", "$1");
    }
}
