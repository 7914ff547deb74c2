#!/usr/bin/python3
"""Descriptors → decode → JSON → QoS 0, as a careful programmer writes it in Python: live.py PORT"""
import sys

from boards import Twin


class Live(Twin):
    def batch(self, board, payload, count):
        self.client.publish(board.record_topic, payload, 0)
        self.published += count


Live(int(sys.argv[1])).run()
