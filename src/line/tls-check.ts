/** Encryption on the way to a gateway: whose certificate it shows, whether it is trusted, and until when. */
import { checkServerIdentity, connect, type PeerCertificate, rootCertificates, type TLSSocket } from 'node:tls';
import type { LineCheck } from '../api/ports/devices.ts';
import { type Clock, within } from '../base/clock.ts';
import { Fault, wordsOf } from '../base/fault.ts';
import { printable } from '../base/mask.ts';
import { found, tellLine } from '../words/en/messages/machine.ts';

const WITHIN_MS = 5_000;
const DAY_MS = 86_400_000;
/** Before it ends somebody has to renew it. */
const SOON_DAYS = 21;

type Tools = { clock: Clock; trusted?: string };

/** Connects, looks, and goes: nothing is asked. `trusted` is PEM, beside the certificates that Node trusts. */
export const checkTls = async (
  { host, port }: { host: string; port: number },
  { clock, trusted }: Tools,
): Promise<Omit<LineCheck, 'what' | 'ms'>> => {
  const ca = trusted === undefined ? {} : { ca: [...rootCertificates, trusted] };
  const named = /^[\d.]+$|:/.test(host) ? {} : { servername: host };
  // A certificate that is not trusted is looked at all the more: no byte of ours is sent on this connection.
  const socket = connect({ host, port, ...named, ...ca, rejectUnauthorized: false });
  const shaken = new Promise<void>((done, failed) => {
    socket.once('secureConnect', done);
    socket.once('error', failed);
  });
  try {
    await within(clock, WITHIN_MS, shaken, () => new Fault('host.silent', { why: 'no handshake within 5 s' }));
    return verdictOn(socket, host, clock.now());
  } catch (error) {
    return found('bad', tellLine('noHandshake', { code: printable(wordsOf(error)) }), 'otherServer');
  } finally {
    socket.destroy();
  }
};

const verdictOn = (socket: TLSSocket, host: string, now: number): Omit<LineCheck, 'what' | 'ms'> => {
  const certificate = socket.getPeerCertificate();
  const who = nameOf(certificate);
  const until = Date.parse(certificate.valid_to);
  const certificateTold = tellLine('certificate', {
    protocol: socket.getProtocol() ?? 'TLS',
    name: who,
    until: { at: until },
  });
  const facts = { certificate: certificateTold };
  // The chain first, as its fault hides the one of the name.
  const code = socket.authorized ? undefined : String(socket.authorizationError ?? 'UNKNOWN');
  const other = checkServerIdentity(host, certificate) !== undefined;
  if (code !== undefined || other) {
    const why = (code === undefined ? undefined : troubles[code]) ?? (other ? 'otherName' : 'untrusted');
    return found('bad', tellLine(why, { ...facts, ...(code !== undefined && { code }) }), `${why}Cure`);
  }
  const days = Math.floor((until - now) / DAY_MS);
  if (days >= SOON_DAYS) return found('good', tellLine('certificateGood', facts));
  return found('odd', tellLine('certificateEnds', { ...facts, days }), 'renew');
};

/** What it is for, as it says itself: a stranger's words. */
const nameOf = ({ subject, subjectaltname }: PeerCertificate): string => {
  const common = subject?.CN;
  const names = (subjectaltname ?? '').replace(/(DNS|IP Address):/g, '');
  return printable(names || [common ?? 'nobody'].flat().join(', '), 120);
};

type Trouble = 'expired' | 'notYet' | 'otherName' | 'untrusted';

const troubles: Readonly<Record<string, Trouble>> = {
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'notYet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'otherName',
};
