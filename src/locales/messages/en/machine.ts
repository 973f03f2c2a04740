/** What checks say of terminals, of the line to the gateway, and of what is missing before a till goes live. */
import type { Fault } from '../../../base/fault.ts';
import { type LocalizedMessage, teller } from '../../../base/localized-message.ts';

export const checkWords = {
  whatPort: 'Port',
  whatAnswers: 'Answers',
  whatDevice: 'Device',
  whatKeys: 'Keys',
  whatHealth: 'Health',
  whatWay: 'Way',
  whatNumbers: 'Numbers',
  whatDialect: 'Dialect',
  noDialect: 'It speaks as its document has it, in all that was heard of it so far.',
  dialects: 'Where its document leaves a choice, or it differs from it: {names}. The till sells on all of these.',
  numbersFollow: 'Its receipt numbers follow each other: nobody else was paid on it between two sales of this till.',
  otherRegister:
    'Jumps in its receipt numbers between two sales of this till, in {days, plural, one {# day} other {# days}}: {count}. The last one: from {from} to {to}, at receipt {receipt}. Another register may sell on it.',
  whoElse:
    'Find out who else sells on it, by another register or by hand: a terminal that asks its bank itself belongs to one till.',
  whatConfiguration: 'Configuration',
  unknownKey: '{file} has {key}, which this version does not know. It decides nothing, and stays in the file.',
  unknownKeyNear:
    '{file} has {key}, which this version does not know. It decides nothing, and stays in the file. Is {nearest} meant?',
  unknownValue:
    '{file} has a value in {key} that this version does not know. It is passed over, and stays in the file.',
  unknownLimit:
    '{file} has {key}, which this version does not know and cannot keep to: nothing that it may limit is taken offline.',
  unknownLimitNear:
    'If {nearest} is meant, correct it. If a newer version wrote it, leave it: that version reads it again.',
  unknownCure: 'If it is mistyped, correct it. If a newer version wrote it, leave it: that version reads it again.',
  whatMachine: 'Machine',
  unbound: 'This machine cannot be told from others: a copy of the till’s data folder would not be noticed.',
  nameMachine: 'Start the till with a name for this machine.',
  elsewhere: 'The till’s data folder belongs to another machine: nothing is sold here.',
  sayWhat: 'A manager says whether it was moved here or is a copy.',
  whatFolder: 'Folder',
  openFolder: 'Others than who sells here may open the till’s folder, and its keys with it: {who}.',
  narrowFolder:
    'Other people who sign in at this machine cannot open the till’s folder: they cannot sell on this till.',
  unsaidFolder: 'The system does not say who may open the till’s folder, and its keys with it: {said}.',
  rightlessFolder:
    'The till’s folder lies on a disk with {fileSystem}, which keeps no rights: whoever uses this machine, or takes that disk away, may open it, and its keys with it.',
  moveFolder: 'Move the folder to a disk that keeps rights, as this machine’s own does, while no till works on it.',
  lookFolder: 'An administrator sees it by: {command}',
  closeFolder: 'An administrator types: {command}',
  device: '{model}, serial number {serial}, firmware {firmware}.',
  unknown: 'unknown',
  otherDevice: '{device} The till is paired with another: {model}, serial number {serial}.',
  pairAnew: 'Pair the till anew.',
  pairedDevice: '{device} It is the paired one, since {since}.',
  ownKeys: 'It keeps its keys to itself, and asks its own host.',
  terminalSays: '{text}',
  offAndOn: 'Switch the terminal off and on, and diagnose it again.',
  key: 'The key for {use}{place}',
  sred: 'card data',
  pin: 'PINs',
  mac: 'message checks',
  keyUsedUp: '{key} has been used up.',
  keyMissing: '{key} is missing or not ready.',
  keyReady: '{key} is ready.',
  keyLeft: '{key} is good for {uses, plural, one {# more use} other {# more uses}}.',
  newKeys: 'Have new keys loaded into the terminal.',
  tampered: 'The terminal says that somebody opened it.',
  outOfUse: 'Take it out of use, keep it apart, and tell whoever is responsible for terminals.',
  clockOff: 'The terminal’s clock is {clock}.',
  clockRight: 'right',
  clockAhead: '{much} ahead',
  clockBehind: '{much} behind',
  setClock: 'Set the terminal’s clock; look at the till’s own too.',
  allWell: 'All well.{battery}{clock}',
  battery: ' Battery {percent} %.',
  clockIs: ' Clock {clock}.',

  serialUnlisted: 'Serial ports cannot be listed the usual way ({why}): the system’s files were read instead.',
  hidUnlisted: 'HID devices cannot be listed the usual way ({why}): the system’s files were read instead.',
  byNetwork: 'The terminal is reached by network, at {host} port {port}.',
  portIs: 'The port is {path}.',
  portFree: '{path} is there, and free.',
  notPlugged: 'The terminal is not plugged in.',
  noPort: 'There is no port {path}.',
  usbDevice: 'a USB device',
  mayNotUse: 'This user may not use {path}.',
  allowPort: '{why}',
  held: 'Another program has {path} open.',
  taker: '{path} is free now, but a program here takes such ports.',
  closeHolder: '{why}',
  checkInOrder: 'Check, in this order:',
  isOn: 'Is the terminal switched on, past its start, and charged?',
  isCabled:
    'Is the cable plugged in at both ends, and is it a data cable? Try another one, and another socket without a hub.',
  linuxSees: 'Does the system see it? dmesg tells of each device that is plugged in; lsusb lists all.',
  linuxMay: 'May this user use it? Run once: {command}, then log in again and plug the terminal in anew.',
  windowsSees: 'Does the Device Manager show it under Ports (COM & LPT) or Human Interface Devices, without a warning?',
  macSees: 'Does System Information list it under USB? A serial terminal is a file: ls /dev/cu.*',
  isTaken: 'Is another program using the terminal? Close other point-of-sale programs and the maker’s own tools.',
  isSet:
    'Is the terminal set to the interface that you expect (USB serial, USB HID, network)? Its own menu or label tells.',
  isNamed:
    'A terminal in the network is not searched for: name it, as in mpi+tcp://192.168.1.20:6543, and try to ping it.',

  notAsked: 'The terminal was not asked.',
  answersAs: 'It answers as {title}.',
  noEchoes: 'No echoes were asked for.',
  echoesLost: '{lost} of {asked, plural, one {# question} other {# questions}} got no answer: {why}.',
  otherCable: 'Try another cable and another socket; then another terminal.',
  allAnswered:
    'All {asked, plural, one {# question} other {# questions}} were answered: half within {median}, all within {most}.',
  slowWay: 'The way is slow: half within {median}, all within {most}.',
  otherSocket: 'Try another socket without a hub; for a terminal in the network, look at the network.',
  brokeOff: 'It answered, then the conversation ended: {fault}.',
  failed: '{fault}.',
  notThere:
    'Check that the terminal is on and in this network, and that its own menu shows this address and port; try to ping it.',
  wake: 'Something is there but does not answer: wake the terminal, check its model and interface, or switch it off and on.',
  otherThing: 'Something else than such a terminal answers, or at another speed: check the model, then the cable.',
  checkCable: 'Check the cable and the terminal’s power; try another socket.',
  fine: 'The terminal is fine.',
  works: 'The terminal works. {worst}',
  unusable: 'The terminal cannot be used like this. {worst}',

  answers: 'It answers.',
  meets: '{title}: {model}, serial number {serial}, firmware {firmware}.',
  tested: '{count} of {count, plural, one {# question} other {# questions}} were answered, within {most}.',
} as const;

export type CheckCode = keyof typeof checkWords;
export const tellCheck = teller('check', checkWords);
export type CheckIn = typeof checkWords;

/** What is plugged in could not be listed the usual way. */
export const unlistedMessage = ({ by, why }: { by: 'serial' | 'hid'; why: string }): LocalizedMessage =>
  tellCheck(`${by}Unlisted`, { why });

/** A fault as told words: screens have the faults in their languages. */
export const faultMessage = ({ code, message, facts }: Fault): LocalizedMessage => ({
  code: `fault.${code}`,
  says: message,
  facts,
});

/** What a person does about it. */
export const faultNextMessage = ({ code, next, facts }: Fault): LocalizedMessage => ({
  code: `faultNext.${code}`,
  says: next,
  facts,
});

/** What each step on the way to the gateway found, and what to do about it. */

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
  answered:
    'It answered {count} of {count, plural, one {# question} other {# questions}}, half of them within {median} ms.',
  answeredSlowly:
    'It answered {count} of {count, plural, one {# question} other {# questions}}, half of them within {median} ms. That is slow.',
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
export type LineIn = typeof lineWords;

/** What the checklist for going live says of a till, and what to do about it. */

export const goingLiveWords = {
  terminalsReal: 'Paired: {terminals}.',
  terminalMissing: 'No terminal is paired at {counters}.',
  terminalSimulated: 'The terminal at {counters} is simulated: it charges nobody.',
  terminalTestHost: 'The terminal at {counters} is at its maker’s test host: it charges nobody.',
  pairReal: 'Pair a real terminal there.',
  leaveTestHost: 'Have it connected to its bank, then take back that it is at its maker’s test host.',

  gatewayNotNeeded: 'None is needed: the terminals ask their banks themselves.',
  gatewayAnswers: 'The gateway at {url} lets this channel in.',
  gatewayUntried: 'No live channel has been tried yet.',
  gatewayAway: 'The gateway at {url} cannot be reached: {fault}',
  gatewayRefuses: 'The gateway at {url} does not let this channel in: {code} {description}',
  gatewayPlain: 'The line to the gateway at {url} would not be encrypted.',
  giveChannel: 'Enter the address, the entity id and the token of your live channel, and try it.',
  useHttps: 'Enter its https address, with a slash at the end and nothing after it.',
  checkLine: 'Check the address, then this machine’s network.',
  checkChannel: 'Check the entity id and the token with whoever gave you the channel.',

  managerThere: 'A manager can sign in: {names}.',
  managerMissing: 'No manager is known at this till.',
  addManager: 'Add a manager with a PIN.',

  shopSet: '{name}, {address}. Terminal number {terminalId}.',
  nameMissing: 'The shop has no name yet.',
  addressMissing: 'The shop has no address yet.',
  terminalIdMissing: 'The terminal number {terminalId} is made up.',
  both: '{first} {second}',
  setShop:
    'Enter them in till.json, or import a configuration that has them. The acquirer gave you the terminal number.',

  foundTerminal: 'It took payments on a real terminal before tills were told apart as test and live.',
  foundAnswer: 'Its gateway approved payments as a live one before tills were told apart as test and live.',
} as const;

export type GoingLiveCode = keyof typeof goingLiveWords;
export const tellGoingLive = teller('goingLive', goingLiveWords);
export type GoingLiveIn = typeof goingLiveWords;

/** Several, one after the other. */
export const tellAll = ([first, ...more]: readonly [LocalizedMessage, ...LocalizedMessage[]]): LocalizedMessage =>
  more.reduce((told, second) => tellGoingLive('both', { first: told, second }), first);
