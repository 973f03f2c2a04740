/** One stored account: reading it, extending it (TE), deleting it (DR). */
import { codes } from '../../base/result-codes.ts';
import { type Call, endOf, endpoint, type Gateway } from '../payments/endpoint.ts';
import { doOnce } from '../payments/repeats.ts';
import { type Answer, refuseWith } from '../payments/response.ts';
import { monthsAfter, successCodeOf } from '../payments/stored-account.ts';
import { oneOf } from '../spec/parameters/kinds.ts';
import { authentication, customParameters } from '../spec/parameters/payment.ts';
import type { Registration } from '../store/records.ts';
import type { Session } from '../store/store.ts';
import { registrationAnswer } from './answer.ts';

/** For a registration that does not exist or is another channel's; and for one that was deleted or has expired. */
export const unknownRegistrationAnswer = (call: Call<unknown>): Answer =>
  refuseWith(
    { code: codes.registrationInvalid, status: 404, why: 'There is no registration with this id.' },
    endOf(call),
  );
export const endedRegistrationAnswer = (call: Call<unknown>): Answer =>
  refuseWith(
    { code: codes.registrationInvalid, status: 400, why: 'The registration was deleted or has expired.' },
    endOf(call),
  );

/** Whether it can still be used at this time, ms. */
export const isUsable = ({ state, keptUntil }: Registration, at: number): boolean =>
  state === 'active' && at < keptUntil;

/** The registration in the path, if it belongs to this channel. */
export const registrationOf = async (reader: Pick<Session, 'registration'>, { id, channel }: Call<unknown>) => {
  const found = id === undefined ? undefined : await reader.registration(id);
  return found?.entityId === channel.entityId ? found : undefined;
};

export const readRegistration = endpoint(
  {
    method: 'GET',
    path: '/v1/registrations/:id',
    summary: 'A stored account with its current state, masked.',
    accepts: authentication,
    needs: ['entityId'],
    rules: [],
  },
  async ({ store, clock }, call) => {
    const found = await registrationOf(store, call);
    if (found === undefined) return unknownRegistrationAnswer(call);
    if (!isUsable(found, clock.now())) return endedRegistrationAnswer(call);
    return registrationAnswer(found, { code: found.facts.resultCode, requestId: call.requestId, at: call.at });
  },
);

type Change = (registration: Registration, at: number) => Registration;
type NamedChange = { paymentType: 'DR' | 'TE'; change: Change };

/** Changes it exclusively. A second request finds it changed; a repeated key gets the first answer. */
const changeRegistration = (
  gateway: Gateway,
  call: Call<unknown>,
  { paymentType, change }: NamedChange,
): Promise<Answer> => {
  const work = async (session: Session): Promise<Answer> => {
    const found = await registrationOf(session, call);
    if (found === undefined) return unknownRegistrationAnswer(call);
    if (!isUsable(found, call.at)) return endedRegistrationAnswer(call);
    const updated = change(found, call.at);
    await session.changeRegistration(updated);
    return registrationAnswer(updated, {
      paymentType,
      code: successCodeOf(call.channel),
      requestId: call.requestId,
      at: call.at,
    });
  };
  return doOnce(gateway.store, call, { names: [`registration ${call.id}`], work });
};

/** The row stays for records that refer to it; the account in it is destroyed together with its key. */
const destroyAccount: Change = ({ sealed: _, ...registration }) => ({ ...registration, state: 'deleted' });

export const deregister = endpoint(
  {
    method: 'DELETE',
    path: '/v1/registrations/:id',
    summary: 'Delete a stored account. It cannot be charged any more, and its data are destroyed.',
    accepts: {
      ...authentication,
      ...customParameters,
      paymentType: oneOf(['DR'], 'DR, or left out.', 'DR'),
      testMode: oneOf(['EXTERNAL', 'INTERNAL'], 'As in a payment; deleting is the same in both.', 'INTERNAL'),
    },
    needs: ['entityId'],
    rules: [],
  },
  (gateway, call) => changeRegistration(gateway, call, { paymentType: 'DR', change: destroyAccount }),
);

const EXTENSION_MONTHS = 24;

export const extendRegistration = endpoint(
  {
    method: 'POST',
    path: '/v1/registrations/:id/extendlife',
    summary: 'Keep a stored account for 24 months from today.',
    accepts: {
      ...authentication,
      ...customParameters,
      paymentType: oneOf(['TE'], 'TE, or left out.', 'TE'),
      testMode: oneOf(['EXTERNAL', 'INTERNAL'], 'As in a payment; extending is the same in both.', 'INTERNAL'),
    },
    needs: ['entityId'],
    rules: [],
  },
  (gateway, call) =>
    changeRegistration(gateway, call, {
      paymentType: 'TE',
      change: (registration, at) => ({
        ...registration,
        keptUntil: Math.max(registration.keptUntil, monthsAfter(at, EXTENSION_MONTHS)),
      }),
    }),
);
