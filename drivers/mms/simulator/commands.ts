/** The commands of the simulated MMS device: when each is allowed, and how it is answered. */
import { isFault } from '../../../src/base/fault.ts';
import { encodeTlv } from '../../../src/emv/tlv.ts';
import { pace } from '../../simulation/simulator.ts';
import { commands, decodeRequest, type KeyInfo, type MmsAsk, type MmsRequest } from '../protocol/commands.ts';
import { type MmsMessage, payloadOf, type Status, statuses } from '../protocol/messages.ts';
import { encodeProperty, type OidForm, type Property } from '../protocol/properties.ts';
import type { MmsCustomer } from './customer.ts';
import { resume } from './host.ts';
import { serveCustomer } from './transactions.ts';
import { hasDisplay, keyPlaces, type MmsTransaction, type MmsUnit } from './unit.ts';

/** At or below this charge the device takes no cards. */
const emptyPercent = 5;
/** Bit 1 of the options: the only data block format there is. */
const formatBit = 2;

type RequestMessage = Extract<MmsMessage, { kind: 'request' }>;

/** Carries out a request, or answers why it cannot. `restart` is the device's own restart. */
export const handleRequest = (
  at: { unit: MmsUnit; customer: MmsCustomer; restart(): void },
  message: RequestMessage,
) => {
  const { unit } = at;
  let request: MmsRequest | undefined;
  try {
    request = decodeRequest(message.id, message.payload);
  } catch (error) {
    if (!isFault(error, 'emv.malformed', 'tlv.malformed', 'hex.malformed', 'currency.unknown')) throw error;
    unit.parts.report(`command ${message.id} refused: ${error.message}`);
    return unit.respond(message, statuses.malformed);
  }
  if (request === undefined) return unit.respond(message, statuses.noFeature);
  execute(at, message, request);
};

const execute = (
  at: { unit: MmsUnit; customer: MmsCustomer; restart(): void },
  { ref, id }: RequestMessage,
  request: MmsRequest,
) => {
  const { unit, customer } = at;
  const respond = (status: Status) => unit.respond({ ref, id }, status);
  switch (request.name) {
    case 'echo':
      return unit.answer(ref, 'echo', {
        status: statuses.done,
        answer: unit.hasDialect('echo-empty') ? {} : request.ask,
      });
    case 'start': {
      const refusal = startRefusal(unit, request.ask);
      respond(refusal ?? (unit.hasDialect('started-with-warning') ? statuses.startedWarned : statuses.started));
      if (refusal === undefined) start(unit, customer, request.ask);
      return;
    }
    case 'resume': {
      const transaction = unit.currentTransaction();
      const scene = transaction === undefined ? undefined : { unit, customer, transaction };
      return respond(resumeStatus(scene, request.ask));
    }
    case 'cancel':
      return cancel(unit, respond);
    case 'choose':
      return respond(unit.currentTransaction() === undefined ? statuses.noTransaction : statuses.done);
    case 'display':
      return display(unit, customer, { ask: request.ask, respond });
    case 'subscribe':
      unit.isHeard = true;
      return respond(statuses.done);
    case 'getProperty':
      return getProperty(unit, { ref, id }, request.ask);
    case 'setProperty': {
      if (!unit.parts.store.write(request.ask.oid, request.ask.value)) return respond(statuses.badParameter);
      if (unit.hasDialect('set-answered-empty')) return respond(statuses.done);
      return unit.answer(ref, 'setProperty', {
        status: statuses.done,
        answer: { property: propertyForm(unit, request.ask) },
      });
    }
    case 'keyInfo':
      return keyInfo(unit, ref, request.ask.slot);
    case 'restart':
      respond(statuses.done);
      return at.restart();
    default:
      // A table row without a case does not compile.
      request satisfies never;
  }
};

const resumeStatus = (scene: Parameters<typeof resume>[0], { from, arpc }: MmsAsk<'resume'>): Status => {
  if (from !== 0) return statuses.badParameter;
  try {
    return resume(scene, arpc);
  } catch (error) {
    if (!isFault(error, 'tlv.malformed')) throw error;
    return statuses.malformed;
  }
};

/** Why no transaction starts, or undefined. */
const startRefusal = (unit: MmsUnit, { readers, options = '0003' }: MmsAsk<'start'>): Status | undefined => {
  const { config, store } = unit.parts;
  if (unit.currentTransaction() !== undefined) return statuses.inProgress;
  if (!store.isOnline()) return statuses.offline;
  if (config.batteryPercent <= emptyPercent) return statuses.lowBattery;
  if ((Number.parseInt(options.slice(2, 4), 16) & formatBit) === 0) return statuses.badParameter;
  if (readers?.manual === undefined) return undefined;
  if (!hasDisplay(config)) return statuses.noFeature;
  const others = [readers.swipe, readers.chip, readers.tap].some((each) => each !== 0);
  return others ? statuses.badParameter : undefined;
};

const start = (unit: MmsUnit, customer: MmsCustomer, ask: MmsAsk<'start'>) => {
  const transaction: MmsTransaction = { ask, stage: 'waiting', chipFailures: 0, technology: 'none' };
  unit.begin(transaction);
  serveCustomer(unit, customer, transaction);
  unit.show(ask.readers?.manual === undefined ? 'PRESENT CARD' : 'ENTER CARD NUMBER', { cancellable: true });
  if (ask.seconds > 0) {
    unit.schedule(ask.seconds * 1_000, () => {
      if (transaction.stage === 'waiting') unit.end('timedOut', 'none');
    });
  }
  customer.onInvited();
};

const cancel = (unit: MmsUnit, respond: (status: Status) => void) => {
  const transaction = unit.currentTransaction();
  if (transaction === undefined) return respond(statuses.noTransaction);
  if (transaction.stage === 'completing') return respond(statuses.cannotCancel);
  respond(statuses.done);
  if (transaction.stage === 'ending') return;
  transaction.stage = 'ending';
  transaction.onPulled = () => {};
  unit.stopTimers();
  unit.schedule(pace.stopMs + unit.parts.outlet.lateMs(), () => {
    unit.show('CANCELED');
    unit.end('cancelledByHost', 'none');
  });
};

const display = (
  unit: MmsUnit,
  customer: MmsCustomer,
  { ask, respond }: { ask: MmsAsk<'display'>; respond(status: Status): void },
) => {
  const text = ask.text ?? 0x14;
  customer.onShown(text);
  if (!unit.hasDisplay()) return respond(statuses.noFeature);
  if (unit.currentTransaction() !== undefined) return respond(statuses.inProgress);
  unit.parts.report(`display: text ${text}`);
  const seconds = ask.seconds ?? 0;
  respond(seconds === 0 ? statuses.done : statuses.started);
  if (seconds > 0) unit.schedule(seconds * 1_000, () => unit.notify('displayDone', 'none'));
};

const getProperty = (unit: MmsUnit, at: { ref: number; id: string }, { oid, form }: Property & { form: OidForm }) => {
  const value = unit.parts.store.read(oid);
  if (value === undefined) return unit.respond(at, statuses.badParameter);
  const property = propertyForm(unit, { oid, value, form });
  unit.respond(at, statuses.done, payloadOf(at.id, encodeTlv(encodeProperty(property, property.form))));
};

const propertyForm = (unit: MmsUnit, property: Property & { form: OidForm }): Property & { form: OidForm } =>
  unit.hasDialect('names-plain') ? { ...property, form: 'plain' } : property;

const active = 2;
const exhausted = 3;
/** The type of a DUKPT key in the manual's example. */
const dukptType = 0x20;
/** The slot in that example's answer, which differs from the one asked for. */
const printedSlot = '1081';

const keyInfo = (unit: MmsUnit, ref: number, slot: string) => {
  const use = (Object.keys(keyPlaces) as (keyof typeof keyPlaces)[]).find((each) => keyPlaces[each] === slot);
  if (use === undefined || (use === 'pin' && !unit.hasDisplay()))
    return unit.respond({ ref, id: 'EF11' }, statuses.noKey);
  const { ksn, usesLeft } = unit.parts.keys.states()[use];
  const status = usesLeft > 0 ? active : exhausted;
  const answer: KeyInfo = {
    status,
    type: dukptType,
    slot: unit.hasDialect('key-slot-other') ? printedSlot : slot,
    ksn: Buffer.from(ksn).toString('hex').toUpperCase(),
  };
  if (!unit.hasDialect('ids-left-out')) return unit.answer(ref, 'keyInfo', { status: statuses.done, answer });
  unit.respond({ ref, id: 'EF11' }, statuses.done, encodeTlv(commands.keyInfo.answers.write(answer)));
};
