"""The application that Scripts/scale has on its cluster: job.py WHEEL RECIPE. Each line of its input is a job."""
import json
import sys
import time

import pyarrow
import webinspect.spark
from pyspark.sql import SparkSession


def where(batches):
    """The program that an executor uses."""
    import webinspect
    for _ in batches:
        yield pyarrow.RecordBatch.from_pydict({'path': [webinspect.find()]})


def say(answer):
    print(json.dumps(answer), flush=True)


wheel, recipe = sys.argv[1:]
spark = SparkSession.builder.appName('scale').getOrCreate()
spark.sparkContext.setLogLevel('WARN')
webinspect.spark.ship(spark, wheel)
# Executors find it by its name alone: their working folder is where Spark puts it.
spark.addArtifacts(recipe, file=True)
say({'program': spark.range(0, 1, 1, 1).mapInArrow(where, 'path string').collect()[0].path})
for line in sys.stdin:
    job, start = json.loads(line), time.monotonic()
    webinspect.spark.extract(spark, job['shards'], job['jobs']).write.mode('overwrite').parquet(job['out'])
    say({'seconds': time.monotonic() - start})
