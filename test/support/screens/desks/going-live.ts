/** A till that can be taken live, step by step: rows turn green as the test says, or as a gateway is tried. */
import type { Checklist, GoingLiveDesk, GoingLiveItem, LiveChannel } from '../../../../src/api/ports/going-live.ts';
import type { Told } from '../../../../src/base/told.ts';

const TOKEN = 'a-live-token-of-the-processor';

/** The one channel that the scripted gateway lets in. */
export const liveChannel: LiveChannel = {
  baseUrl: 'https://pay.nordwind.example/',
  entityId: '8a829418644d55a901644e5d8f0a0b1c',
  token: TOKEN,
};

const plain = (code: string, says: string): Told => ({ code: `scripted.${code}`, says });

const rows: Readonly<Record<GoingLiveItem, { done: string; open: string; cure: string }>> = {
  terminal: {
    done: 'T1 is a VP3350, serial number 5032817.',
    open: 'T1 is simulated.',
    cure: 'Pair a real terminal: a live till never starts a simulated one.',
  },
  gateway: {
    done: 'pay.nordwind.example lets this till in.',
    open: 'No live channel was tried yet.',
    cure: 'Enter the address, the entity ID and the token of your live channel, and try it.',
  },
  people: {
    done: 'Anna, Max and Tess have a PIN.',
    open: 'Nobody has a PIN yet.',
    cure: 'Add a manager and everybody who takes payments.',
  },
  shop: {
    done: 'NORDWIND BAKERY, Harbour Street 4, Kiel.',
    open: 'The address is missing.',
    cure: 'npm run till -- shop --address "Harbour Street 4, Kiel"',
  },
};
const items = Object.keys(rows) as GoingLiveItem[];

export type ScriptedGoingLive = GoingLiveDesk & {
  /** What is asked of the till, as it came. */
  readonly calls: { name: string; facts: unknown }[];
  /** What is not ready. */
  left: GoingLiveItem[];
  withoutGateway: boolean;
  /** Thrown by whatever is asked next. */
  fault: Error | undefined;
  /** Shown until somebody has read it. */
  notice: Told | undefined;
  /** Carried out once the live till stands. */
  whenLive: () => void;
};

export const scriptedGoingLive = (left: readonly GoingLiveItem[] = ['terminal', 'gateway']): ScriptedGoingLive => {
  const refuse = (): void => {
    const { fault } = desk;
    desk.fault = undefined;
    if (fault !== undefined) throw fault;
  };
  let tried: Checklist['gateway'];
  const desk: ScriptedGoingLive = {
    calls: [],
    left: [...left],
    withoutGateway: false,
    fault: undefined,
    notice: undefined,
    whenLive: () => {},
    async checklist() {
      refuse();
      return {
        rows: items.map((item) => {
          const done = !desk.left.includes(item);
          const { done: stands, open, cure } = rows[item];
          return {
            item,
            done,
            says: plain(item, done ? stands : open),
            ...(!done && { cure: plain(`${item}Cure`, cure) }),
          };
        }),
        ready: desk.left.length === 0,
        ...(tried && { gateway: tried }),
        withoutGateway: desk.withoutGateway,
      };
    },
    async tryGateway(channel) {
      desk.calls.push({ name: 'tryGateway', facts: channel });
      refuse();
      const answered = JSON.stringify(channel) === JSON.stringify(liveChannel);
      if (!answered) return { answered, says: plain('refused', 'The gateway does not know this token.') };
      const { baseUrl, entityId } = channel;
      tried = { baseUrl, entityId };
      desk.left = desk.left.filter((item) => item !== 'gateway');
      return { answered, says: plain('letIn', 'The gateway lets this till in.') };
    },
    async goLive(channel, by) {
      desk.calls.push({ name: 'goLive', facts: { channel, by: by.name } });
      refuse();
      desk.whenLive();
    },
    found: () => desk.notice,
    read(by) {
      desk.calls.push({ name: 'read', facts: by.name });
      refuse();
      desk.notice = undefined;
    },
  };
  return desk;
};
