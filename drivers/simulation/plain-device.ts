/** The simulated device of a plain protocol (drivers/plain-terminal.ts): it hears calls, and its own host answers. */
import type { Frames } from '../framed.ts';
import { cutter } from '../framing/framer.ts';
import type { PlainCall } from '../plain-terminal.ts';
import type { TerminalEvent, TerminalInfo } from '../terminal.ts';
import { Outlet } from './faults.ts';
import { OwnHost, type OwnHostAnswer } from './own-host.ts';
import type { Model } from './station.ts';
import { simulatedConfig } from './terminal-config.ts';

/** What the device says: an answer to the call, or unasked what it shows. */
export type PlainSpeech =
  | { says: 'info'; info: TerminalInfo }
  | { says: 'outcome'; outcome: OwnHostAnswer | { kind: 'none' } | { kind: 'busy' } }
  | { says: 'lines'; lines: readonly string[] }
  | { says: 'taken' };

export type PlainSide<M> = {
  /** What the device calls itself, behind the word SIMULATED. */
  model: string;
  frames: Frames<M>;
  /** The call that this message is; undefined for what is no command. */
  callOf(message: M): PlainCall | undefined;
  /** The answer to this command. */
  answer(asked: M, speech: PlainSpeech): M;
  /** What is shown, said unasked. */
  notice(event: TerminalEvent): M;
  /** A message in good form that no document has. */
  unknown: M;
};

/** A simulator of this protocol. Faults spoil the last byte of a message, where its checksum stands. */
export const plainDevice =
  <M>(side: PlainSide<M>): Model =>
  (link, options) => {
    const { clock, random, faults = [], config } = options;
    const { model, serial, firmware } = simulatedConfig({ model: side.model }, config);
    const { encode, framer, sizeMax } = side.frames;
    const host = new OwnHost(options);
    const spoiler = {
      spoil: (message: Uint8Array) => message.map((byte, at) => (at === message.length - 1 ? byte ^ 0xff : byte)),
      unsolicited: () => encode(side.notice('reading')),
      unknown: () => encode(side.unknown),
    };
    // A sale goes on by itself when the till is gone, and is the last one then.
    const out = new Outlet({ link, faults, clock, random, spoiler, lost: () => {}, restart: () => host.off() });

    const take = (asked: M): void => {
      const call = side.callOf(asked);
      if (call === undefined || out.heard() === 'restarted') return;
      const say = (speech: PlainSpeech) => out.send(encode(side.answer(asked, speech)), { answers: true });
      if (!('amount' in call) || host.busy()) {
        say(call.do === 'hello' ? { says: 'info', info: { model, serial, firmware } } : atOnce(call, host));
        if (call.do === 'cancel') host.cancel();
        return;
      }
      const { minor: amountMinor, currency } = call.amount;
      const kind = call.do === 'pay' ? 'payment' : 'refund';
      const tell = (event: TerminalEvent) => out.send(encode(side.notice(event)), { answers: false });
      void host.sell({ kind, amountMinor, currency }, tell).then((outcome) => say({ says: 'outcome', outcome }));
    };

    const { push } = cutter(framer, sizeMax);
    const bytes = (heard: Uint8Array): void => {
      for (const piece of push(heard)) if (piece.kind === 'frame') take(piece.frame);
    };
    link.listen({ bytes, closed: () => {} });
    return {
      async close() {
        host.off();
        await out.close();
      },
    };
  };

/** What is said without a customer. */
const atOnce = (call: PlainCall, host: OwnHost): PlainSpeech => {
  if (call.do === 'cancel') return { says: 'taken' };
  if (host.busy()) return { says: 'outcome', outcome: { kind: 'busy' } };
  if (call.do === 'endOfDay') return { says: 'lines', lines: host.closeDay() };
  return { says: 'outcome', outcome: call.do === 'reverse' ? host.reverse(call.receiptNumber) : lastOf(host) };
};

const lastOf = (host: OwnHost): OwnHostAnswer | { kind: 'none' } => host.last() ?? { kind: 'none' };
