"""What a board does, whoever plays it."""


class Behaviour:
    """What a board does. Every call may be answered later through self.board."""
    board = None

    async def start(self):
        self.board.on_air = True

    def connected(self, peer): pass
    def disconnected(self, reason): pass
    def mtu(self, value): pass
    def write(self, char, data, with_response): pass
    def subscribe(self, char, bits): pass
    async def read(self, char): return self.board.static_value(char)
