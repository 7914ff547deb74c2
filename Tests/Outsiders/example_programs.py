"""Runs the programs of deploy/examples beside a bench."""
import json
import os
import subprocess

from bench import HERE, Process

FOLDER = os.path.join(HERE, "..", "..", "deploy", "examples")


class RunsExamples:
    """What a bench needs for it."""

    def environment(self):
        return {**os.environ, "METAFLEET_MQTT_HOST": "127.0.0.1", "METAFLEET_MQTT_PORT": str(self.port), "NODE_PATH": "/usr/share/nodejs"}

    def example(self, name, *arguments, output=None):
        """Begins an example; its standard output goes to a file, which is returned beside it."""
        path = self.path(output or f"{name}.out")
        process = Process(name, [os.path.join(FOLDER, name), *arguments], self.path(f"{name}.log"), cwd=self.directory, env=self.environment(), stdout=open(path, "ab"))
        return process, path

    def ask(self, name, *arguments):
        """Runs an example that ends by itself: its status, and the objects that it printed."""
        done = subprocess.run([os.path.join(FOLDER, name), *arguments], env=self.environment(), stdin=subprocess.DEVNULL, capture_output=True, timeout=90)
        return done.returncode, [json.loads(x) for x in done.stdout.splitlines() if x.startswith(b"{")]
