/** What each step on the way to the gateway found, and what to do about it. */
import type { LineCheck } from '../../../api/ports/devices.ts';
import { type Told, teller } from '../../../base/told.ts';

export const lineWords = {
  inTheBox: 'The gateway is in this program: there is no line to it.',
  notAsked: 'Without {what} it was not asked.',
  itsName: 'its name',
  aLine: 'a line',
  encryption: 'encryption',
  isAddress: '{host} is an address: no name has to be looked up.',
  nameFound: '{host} is at {addresses}.',
  nameUnknown: 'The name {host} is not known: {code}.',
  checkName: 'Check the name in the configuration, then this machine’s network and its name server (DNS).',
  portOpen: 'Port {port} of {host} takes connections.',
  portRefuses: 'Port {port} of {host} cannot be reached: it refuses ({code}).',
  portAway: 'Port {port} of {host} cannot be reached: {code}.',
  nothingListens:
    'The machine is there, but nothing listens at this port: check the port, then ask whoever runs the gateway.',
  checkRoute: 'Check cable or Wi-Fi, then the router; a firewall between may hold back this port.',
  noProxy: 'No proxy is set; the till goes straight.',
  proxyUnused: '{variable} names the proxy {proxy}, which the till does not use: it goes straight.',
  letThrough: 'Where the network lets nothing out but by a proxy, have the gateway’s address let through.',
  plainHere: 'The line is not encrypted (http). It does not leave this machine.',
  plain: 'The line is not encrypted (http).',
  useHttps: 'Use the gateway’s https address in the configuration.',

  noHandshake: 'No encrypted connection came about: {code}.',
  otherServer: 'Something else than an https server may listen there, or a proxy stands between. Check the port.',
  certificate: '{protocol}; the certificate is for {name}, until {until}',
  certificateGood: '{certificate}.',
  certificateEnds: 'Days until the certificate ends: {days} ({certificate}).',
  renew: 'Tell whoever runs the gateway: it must be renewed before.',
  otherName: 'The certificate is for another name ({certificate}).',
  otherNameCure:
    'Check the address in the configuration. If it is right, somebody may be listening in: tell the gateway’s people.',
  untrusted: 'The certificate is not trusted here: {code} ({certificate}).',
  untrustedCure: 'A company’s own certificate is to be installed on this machine. If there is none, do not go on.',
  expired: 'The certificate has run out ({certificate}).',
  expiredCure:
    'Check this machine’s date first. If it is right, whoever runs the gateway has to renew the certificate.',
  notYet: 'The certificate is not valid yet ({certificate}).',
  notYetCure: 'Set this machine’s clock: it is most likely behind.',

  noAnswer: 'The gateway does not answer.',
  mendAbove: 'Mend what is bad above. Until then the till sells offline, inside its limits.',
  answersStopped: 'It stopped answering. Answers before that: {count}.',
  tryAgain: 'Try again; a line that comes and goes is often Wi-Fi or an overloaded router.',
  answered: 'It answered {count} of {count} questions, half of them within {median} ms.',
  answeredSlowly: 'It answered {count} of {count} questions, half of them within {median} ms. That is slow.',
  whoElse: 'See who else uses this line.',
  sameClock: 'Both have the clock of this machine.',
  noTime: 'The gateway does not tell its time.',
  clockAgrees: 'This till’s clock agrees with the gateway’s.',
  clockAhead: 'This till’s clock is {seconds} s ahead of the gateway’s.',
  clockBehind: 'This till’s clock is {seconds} s behind the gateway’s.',
  setClock: 'Set this machine’s clock, and have it set by the network from now on.',
} as const;

export type LineCode = keyof typeof lineWords;
export const tellLine = teller('line', lineWords);

/** What a step found: the verdict, in English and as told. */
export type Found = Omit<LineCheck, 'what' | 'ms' | 'each'>;

export const found = (verdict: LineCheck['verdict'], says: Told, cure?: LineCode): Found => {
  const told = cure === undefined ? undefined : tellLine(cure);
  return {
    ...{ verdict, says: says.says, told: { says, ...(told && { cure: told }) } },
    ...(told && { cure: told.says }),
  };
};
