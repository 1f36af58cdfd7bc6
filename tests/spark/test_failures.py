"""Failures as Spark 4.1.3 tells them."""

from __future__ import annotations

from mainstem.spark.failures import failure_of

IN_A_FUNCTION = """py4j.Py4JException: An exception was raised by the Python Proxy. \
Return Message: Traceback (most recent call last):
  File "/lib/py4j/clientserver.py", line 644, in _call_proxy
    return_value = getattr(self.pool[obj_id], method)(*params)
                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "/jobs/job.py", line 20, in write
    raise ValueError("no such customer; token=abc123secret")
ValueError: no such customer; token=abc123secret

\tat py4j.Protocol.getReturnValue(Protocol.java:476)
\tat py4j.reflection.PythonProxyHandler.invoke(PythonProxyHandler.java:108)
"""


def test_what_a_function_raised_is_the_message() -> None:
    failure = failure_of(IN_A_FUNCTION, "FOREACH_BATCH_USER_FUNCTION_ERROR")
    assert failure.message == "ValueError: no such customer; token=***"
    assert failure.language == "PYTHON"
    assert failure.error_class == "FOREACH_BATCH_USER_FUNCTION_ERROR"


def test_what_spark_raised_names_its_own_class() -> None:
    failure = failure_of("a.SparkException: [DIVIDE_BY_ZERO] by zero\n\tat a.B.c(B.java:1)\n")
    assert failure.message == "a.SparkException: [DIVIDE_BY_ZERO] by zero"
    assert (failure.language, failure.error_class) == ("JAVA", "DIVIDE_BY_ZERO")
