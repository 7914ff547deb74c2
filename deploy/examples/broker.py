"""The broker of the examples: where the environment says that it is, as for `metafleet` itself."""
import os
import signal
import sys

import paho.mqtt.client as mqtt

ENV = os.environ.get
signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends without a traceback


def listen(topics, on_message, session=None, then=lambda client: None):
    """A client that hears `topics`, also after the broker was away; whoever calls loops it. With the name of a `session`
    the broker keeps what comes while the client is away; it counts as received when `on_message` returns. What is to be
    done `then`, with all subscriptions made, is done after every connect."""
    client = mqtt.Client(client_id=session or "", clean_session=session is None)
    if ENV("METAFLEET_MQTT_USERNAME"):
        with open(ENV("METAFLEET_MQTT_PASSWORD_FILE")) as file:
            client.username_pw_set(ENV("METAFLEET_MQTT_USERNAME"), file.readline().strip())

    def connected(client, _, flags, code):
        if code:
            sys.exit(f"the broker refuses: {mqtt.connack_string(code)}")
        client.subscribe([(topic, 1) for topic in topics])
    client.on_connect = connected
    client.on_subscribe = lambda client, *_: then(client)
    client.on_message = lambda client, _, message: on_message(message)
    client.connect(ENV("METAFLEET_MQTT_HOST", "localhost"), int(ENV("METAFLEET_MQTT_PORT", 1883)))
    return client
