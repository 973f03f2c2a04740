/** A till that can go live, step by step: rows turn green when the test says so, or when a gateway is tested. */
import type { Checklist, GoingLiveItem, LiveChannel } from '../../../../src/api/contract/machine.ts';
import type { GoingLivePort } from '../../../../src/api/ports/machine.ts';
import type { LocalizedMessage } from '../../../../src/base/localized-message.ts';

const TOKEN = 'a-live-token-of-the-processor';

/** The only channel that the scripted gateway accepts. */
export const liveChannel: LiveChannel = {
  baseUrl: 'https://pay.nordwind.example/',
  entityId: '8a829418644d55a901644e5d8f0a0b1c',
  token: TOKEN,
};

const message = (code: string, text: string): LocalizedMessage => ({ code: `scripted.${code}`, says: text });

const rows: Readonly<Record<GoingLiveItem, { done: string; open: string; remedy: string }>> = {
  terminal: {
    done: 'T1 is a VP3350, serial number 5032817.',
    open: 'T1 is simulated.',
    remedy: 'Pair a real terminal: a live till never starts a simulated one.',
  },
  gateway: {
    done: 'pay.nordwind.example accepts this channel.',
    open: 'No live channel has been tested yet.',
    remedy: 'Enter the address, the entity ID and the token of your live channel, and test it.',
  },
  people: {
    done: 'Anna, Max and Tess have a PIN.',
    open: 'Nobody has a PIN yet.',
    remedy: 'Add a manager and everyone who takes payments.',
  },
  shop: {
    done: 'NORDWIND BAKERY, Harbour Street 4, Kiel.',
    open: 'The address is missing.',
    remedy: 'npm run till -- shop --address "Harbour Street 4, Kiel"',
  },
};
const items = Object.keys(rows) as GoingLiveItem[];

export type ScriptedGoingLive = GoingLivePort & {
  /** The requests to the till, as they came. */
  readonly calls: { name: string; facts: unknown }[];
  /** The requirements that are not met. */
  left: GoingLiveItem[];
  withoutGateway: boolean;
  /** Thrown by the next request. */
  fault: Error | undefined;
  /** Shown until somebody has read it. */
  notice: LocalizedMessage | undefined;
  /** Called once the live till exists. */
  whenLive: () => void;
};

export const scriptedGoingLive = (left: readonly GoingLiveItem[] = ['terminal', 'gateway']): ScriptedGoingLive => {
  const throwFault = (): void => {
    const { fault } = service;
    service.fault = undefined;
    if (fault !== undefined) throw fault;
  };
  let tried: Checklist['gateway'];
  const service: ScriptedGoingLive = {
    calls: [],
    left: [...left],
    withoutGateway: false,
    fault: undefined,
    notice: undefined,
    whenLive: () => {},
    async checklist() {
      throwFault();
      return {
        rows: items.map((item) => {
          const done = !service.left.includes(item);
          const { done: stands, open, remedy } = rows[item];
          return {
            item,
            done,
            says: message(item, done ? stands : open),
            cure: done ? undefined : message(`${item}Cure`, remedy),
          };
        }),
        ready: service.left.length === 0,
        gateway: tried,
        withoutGateway: service.withoutGateway,
      };
    },
    async tryGateway(channel) {
      service.calls.push({ name: 'tryGateway', facts: channel });
      throwFault();
      const answered = JSON.stringify(channel) === JSON.stringify(liveChannel);
      if (!answered) return { answered, says: message('refused', 'The gateway does not know this token.') };
      const { baseUrl, entityId } = channel;
      tried = { baseUrl, entityId };
      service.left = service.left.filter((item) => item !== 'gateway');
      return { answered, says: message('letIn', 'The gateway accepts this channel.') };
    },
    async goLive(channel, actor) {
      service.calls.push({ name: 'goLive', facts: { channel, by: actor.name } });
      throwFault();
      service.whenLive();
    },
    found: () => service.notice,
    read(actor) {
      service.calls.push({ name: 'read', facts: actor.name });
      throwFault();
      service.notice = undefined;
    },
  };
  return service;
};
