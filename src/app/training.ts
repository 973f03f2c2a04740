/**
 * Training that cannot be mistaken for real sales: a complete second till in its own folder, with its own journal, its
 * own bundled gateway and a simulated terminal. It alone answers a training session, and the real till never learns
 * what is done there.
 */
import { join } from 'node:path';
import { parse } from 'hono/utils/cookie';
import { sessionCookie } from '../api/door.ts';
import type { DevicesPort } from '../api/ports/devices.ts';
import type { SellingPort } from '../api/ports/selling.ts';
import { Fault } from '../base/fault.ts';
import { type Config, changeConfig } from '../folder/config.ts';
import { shopFacts } from '../selling/shop.ts';
import { openTerminalWatch } from '../terminals/terminal-watch.ts';
import { openEvents } from './events.ts';
import { type Simulated, simulateTerminal } from './serve-simulated.ts';
import type { Closing, Factories } from './services.ts';
import { endSales, type ServerContext, salesInProgress, type TillInstance } from './till-instance.ts';

export type TrainingParts = {
  context: Omit<ServerContext, 'factories'>;
  /** The factories of the real till's services. */
  factories: Factories;
  /** The real till that is running now. */
  real(): TillInstance;
  open(context: ServerContext, restart: () => Promise<void>): Promise<TillInstance>;
};

export interface Training {
  /** Factories for the services of either till: both can switch training on and off. */
  factories: Factories;
  /** The training till, for a request of a training session. Undefined for all others, and for every program. */
  tillOf(request: Request): TillInstance | undefined;
  close(): Promise<void>;
}

type Opened = { instance: TillInstance; simulated: Simulated; events: ServerContext['events'] };

const PROTOCOL = 'mpi';

export const openTraining = (parts: TrainingParts): Training => {
  const training = new Set<string>();
  let openingTill: Promise<Opened> | undefined;
  let opened: Opened | undefined;

  const switchTraining: Train = async (token, isOn) => {
    const currentTill = training.has(token) ? opened?.instance : parts.real();
    if (
      isOn !== training.has(token) &&
      currentTill !== undefined &&
      salesInProgress(currentTill.open.services.selling).length > 0
    )
      throw new Fault('terminal.busy', { command: 'a sale' });
    if (!isOn) training.delete(token);
    else if (!training.has(token)) {
      openingTill ??= openTill({ ...parts, factories: withTrain(parts.factories, switchTraining) });
      try {
        opened = await openingTill;
      } catch (error) {
        openingTill = undefined;
        throw error;
      }
      // Opening took time: a sale that began at the real till meanwhile is not left behind.
      if (salesInProgress(parts.real().open.services.selling).length > 0)
        throw new Fault('terminal.busy', { command: 'a sale' });
      training.add(token);
      parts.context.sessions.whenEnded(token, () => void training.delete(token));
    }
    return { training: isOn };
  };

  return {
    factories: withTrain(parts.factories, switchTraining),
    tillOf({ headers }) {
      if (headers.has('authorization')) return undefined;
      const token = tokenIn(headers);
      return token !== undefined && training.has(token) ? opened?.instance : undefined;
    },
    async close() {
      training.clear();
      const till = await openingTill?.catch(() => undefined);
      openingTill = undefined;
      if (till === undefined) return;
      await endSales(till.instance.open.services.selling, till.events);
      await till.instance.close();
      await till.simulated.close();
    },
  };
};

type Train = (token: string, isOn: boolean) => Promise<{ training: boolean }>;

const withTrain = (factories: Factories, switchTraining: Train): Factories => ({
  ...factories,
  selling(of) {
    const service: SellingPort & Closing = factories.selling(of);
    return { ...service, train: switchTraining };
  },
});

/** Read exactly as the API reads it: a training session must not be taken for an ordinary one. */
const tokenIn = (headers: Headers): string | undefined => {
  const name = sessionCookie(headers.get('host') ?? '');
  return parse(headers.get('cookie') ?? '', name)[name];
};

const openTill = async ({ context, factories, real, open }: TrainingParts): Promise<Opened> => {
  const { clock, ids, random, report, sessions, ...rest } = context;
  const options = context.options();
  const dataDir = join(options.dataDir, 'training');
  const config = changeConfig(dataDir, ids, (own) => withShopSettings(own, real().running.config));
  const { version, sealKey, simulatedClock = clock } = options;
  const simulated = await simulateTerminal({ protocol: PROTOCOL, dataDir, clock: simulatedClock, random });
  const events = openEvents(report);
  try {
    const training: ServerContext = {
      ...rest,
      clock,
      ids,
      random,
      report,
      events,
      training: true,
      // Neither the real terminal nor the real gateway, whatever was named for the real till.
      options: () => ({ dataDir, version, sealKey }),
      sessions: { ...sessions, shop: () => shopFacts(config, { version, mode: 'training' }) },
      terminalWatch: openTerminalWatch(clock),
      factories: { ...factories, devices: (of) => withoutDevices(factories.devices(of)) },
      standIn: { address: async () => simulated.address, isOffered: () => false, close: async () => {} },
    };
    const restart = async (): Promise<void> => {
      throw notHereFault();
    };
    return { instance: await open(training, restart), simulated, events };
  } catch (error) {
    await simulated.close();
    throw error;
  }
};

/** The shop as its people know it, without anything that leads to a terminal, a gateway or another folder. */
const withShopSettings = (own: Config, real: Config): Config => {
  const { terminal: _, device: __, terminals: ___, secondCopy: ____, ...withoutUrl } = own;
  const { merchant, currency, offline, businessDay, preauthorisation, screens } = real;
  return {
    ...withoutUrl,
    merchant,
    currency,
    offline,
    ...(businessDay && { businessDay }),
    ...(preauthorisation && { preauthorisation }),
    ...(screens && { screens }),
    gateway: { ...withBuiltInGateway(own) },
  };
};

const withBuiltInGateway = ({ gateway: { baseUrl: _, ...withoutUrl } }: Config): Config['gateway'] => withoutUrl;

const notHereFault = (): Fault => new Fault('training.notHere');

/** The connected devices are real: they are listed, but nothing is opened, paired or asked. */
const withoutDevices = (service: DevicesPort & Closing): DevicesPort & Closing =>
  new Proxy(service, {
    get: (of, name, receiver) =>
      name === 'devices' || name === 'trace' || name === 'close' || typeof name === 'symbol'
        ? Reflect.get(of, name, receiver)
        : () => {
            throw notHereFault();
          },
  });
