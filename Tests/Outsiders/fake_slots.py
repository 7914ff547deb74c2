"""What a board keeps in slots: processors, timers, events, macros, loggers (protocol reference 14 to 19)."""
from fake_processors import Processors

ORDINARY = {0x09: 28, 0x0A: 28, 0x0C: 8, 0x0F: 8, 0x0B: 8}


class Slots:
    def __init__(self, notify):
        self.notify = notify
        self.macros, self.loggers = {}, {}
        self.boot()

    def boot(self):
        """Macros and loggers outlive a reset, the rest does not; what runs at start runs before anybody listens (protocol reference 38)."""
        self.held = {0x09: {}, 0x0A: {}, 0x0C: {}}
        self.parameters = {}
        self.processors = Processors(self.held[0x09], self.notify)
        self.event = self.open_macro = None
        self.part, self.told, self.erase = b"", set(), False
        notify, self.notify = self.notify, lambda *_: None
        for _, (boot, commands) in sorted(self.macros.items()):
            for command in commands if boot else []:
                self.set(command[0], command[1], command[2:])
        self.notify = notify

    def disconnected(self):
        if self.erase:
            self.macros, self.erase = {}, False

    def free(self, module):
        taken = {0x0F: self.macros, 0x0B: self.loggers}.get(module, self.held.get(module))
        return next((i for i in range(ORDINARY[module]) if i not in taken), None)

    def read(self, module, register, payload):
        """True when it answered. A slot that is empty answers with the bare header."""
        slot = payload[0] if payload else 0
        reply = lambda data=b"": self.notify(module, 0x80 | register, data) or True
        if register == 2 and module in self.held:
            return reply(self.held[module].get(slot, b""))
        if (module, register) == (0x0B, 2): return reply(self.loggers.get(slot, b""))
        if (module, register) == (0x09, 4): return reply(bytes([slot]) + self.processors.kept.get(slot, b"\0\0\0\0"))
        if (module, register) == (0x0A, 3): return reply(self.parameters.get(slot, b""))
        if (module, register) == (0x0F, 2):
            if slot not in self.macros: return reply()
            boot, commands = self.macros[slot]
            return reply(bytes([slot, boot, len(commands)]))
        if (module, register) == (0x0F, 3) and slot in self.macros and payload[1] < len(self.macros[slot][1]):
            return reply(self.macros[slot][1][payload[1]][:18])
        return False

    def set(self, module, register, payload):
        """True when the write was for a slot."""
        created = lambda slot: self.notify(module, 2, slot) or True
        if module in (0x09, 0x0C) and register == 2:
            slot = self.free(module)
            if slot is not None: self.held[module][slot] = bytes(payload)
            return created(0xFF if slot is None else slot)
        if (module, register) == (0x0B, 2):
            slot = self.free(0x0B)
            if slot is not None:
                self.loggers[slot] = bytes(payload)
                return created(slot)
            return True
        if (module, register) == (0x0B, 0x0A): self.loggers = {}
        elif (module, register) == (0x0B, 3): self.loggers.pop(payload[0], None)
        elif (module, register) == (0x09, 4): self.processors.kept[payload[0]] = bytes(payload[1:])
        elif (module, register) == (0x09, 3): self.processors.loud = payload[0] == 1
        elif (module, register) == (0x09, 7): (self.processors.heard.add if payload[1] else self.processors.heard.discard)(payload[0])
        elif (module, register) in ((0x09, 6), (0x0C, 5), (0x0A, 4)):
            self.held[module].pop(payload[0], None)
            if module == 0x09: self.processors.forget(payload[0])
        elif (module, register) in ((0x09, 8), (0x0A, 5)): self.held[module].clear()
        elif (module, register) == (0x0A, 2): self.event = bytes(payload)
        elif (module, register) == (0x0A, 3) and self.event:
            slot = self.free(0x0A)
            self.held[0x0A][slot], self.parameters[slot], self.event = self.event, bytes(payload), None
            return created(slot)
        elif module == 0x0F: self.macro(register, payload, created)
        else: return module in (0x09, 0x0A, 0x0C)
        return True

    def reactions(self, module, register, index):
        """The packets that events run of what fires, lowest slot first (protocol reference 15)."""
        return [head[3:5] + self.parameters.get(slot, b"") for slot, head in sorted(self.held[0x0A].items()) if head[:3] == bytes([module, register, index])]

    def macro(self, register, payload, created):
        if register == 2:
            self.open_macro = self.free(0x0F)
            self.macros[self.open_macro] = (payload[0], [])
            created(self.open_macro)
        elif register == 9: self.part = bytes(payload)
        elif register == 3 and self.open_macro is not None:
            self.macros[self.open_macro][1].append(self.part + bytes(payload))
            self.part = b""
        elif register == 4: self.open_macro = None
        elif register == 6: self.told.add(payload[0])
        elif register == 5 and payload[0] in self.told: self.notify(0x0F, 7, payload[0])
        elif register == 8: self.erase = True
