/** A gateway as a till of one mode hears it: an approval of the other mode is no approval. */
import type { Mode } from '../base/mode.ts';
import type { Host, HostReply, Meaning } from './ports.ts';

/** Integrator, validator and connector test mode: the only codes that say that no money moved. */
const testCode = /^000\.100\.11[0-2]$/;
/** "Transaction succeeded". Reviews and other approvals have the same code in both modes. */
const liveCode = '000.000.000';

const otherMode = (mode: Mode, code: string): Meaning | undefined => {
  if (mode === 'live') return testCode.test(code) ? 'testAnswer' : undefined;
  return code === liveCode ? 'liveAnswer' : undefined;
};

/** The same gateway. The answer to a query is about the query: its payments are judged one by one, by `meaningOf`. */
export const hostInMode = (host: Host, mode: Mode): Host => {
  const judged = (means: Meaning, code: string): Meaning =>
    means === 'approved' ? (otherMode(mode, code) ?? means) : means;
  const heard = async (reply: Promise<HostReply>): Promise<HostReply> => {
    const came = await reply;
    return came.kind === 'answered' ? { ...came, means: judged(came.means, came.code) } : came;
  };
  return {
    ...host,
    pay: (parameters, key) => heard(host.pay(parameters, key)),
    refer: (payment, parameters, key) => heard(host.refer(payment, parameters, key)),
    meaningOf: (code) => judged(host.meaningOf(code), code),
  };
};

/** The approval came from the other mode than the till's. */
export const isOtherMode = (means: Meaning): means is 'testAnswer' | 'liveAnswer' =>
  means === 'testAnswer' || means === 'liveAnswer';
