#!/usr/bin/python3
"""Publishes what time it is, twenty times a second: whoever receives it knows how late messages reach him that no gateway held up. Ended by who
started it."""
import sys
import time

import paho.mqtt.client as mqtt

TOPIC = "outsider/pulse"


def main():
    client = mqtt.Client(client_id="outsider-pulse")
    client.reconnect_delay_set(1, 1)
    client.connect_async("127.0.0.1", int(sys.argv[1]), keepalive=10)
    client.loop_start()
    while True:
        if client.is_connected():
            client.publish(TOPIC, f"{time.time():.3f}", qos=0)
        time.sleep(0.05)


if __name__ == "__main__":
    main()
