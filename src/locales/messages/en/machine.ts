/** English texts of checks: terminals, the connection to the gateway, and what a till needs before it goes live. */
import type { Fault } from '../../../base/fault.ts';
import { type LocalizedMessage, messageFactory } from '../../../base/localized-message.ts';

export const checkWords = {
  whatPort: 'Port',
  whatAnswers: 'Answers',
  whatDevice: 'Device',
  whatKeys: 'Keys',
  whatHealth: 'Health',
  whatWay: 'Connection',
  whatNumbers: 'Numbers',
  whatDialect: 'Dialect',
  noDialect: 'So far it has followed its specification in everything.',
  dialects: 'Optional or different from its specification: {names}. The till supports all of these.',
  numbersFollow: 'Its receipt numbers have no gaps: nobody else used it between two sales of this till.',
  otherRegister:
    'Gaps in its receipt numbers between two sales of this till, in {days, plural, one {# day} other {# days}}: {count}. The last one: from {from} to {to}, at receipt {receipt}. Another register may be using it.',
  whoElse:
    'Find out who else uses it, with another register or by hand: a terminal that contacts its bank itself must belong to one till only.',
  whatConfiguration: 'Configuration',
  unknownKey: '{file} contains {key}, which this version does not know. It has no effect and stays in the file.',
  unknownKeyNear:
    '{file} contains {key}, which this version does not know. It has no effect and stays in the file. Did you mean {nearest}?',
  unknownValue:
    '{file} contains a value in {key} that this version does not know. It is ignored and stays in the file.',
  unknownLimit:
    '{file} contains the limit {key}, which this version does not know and cannot apply: nothing that it may limit is taken offline.',
  unknownLimitNear:
    'If you meant {nearest}, correct it. If a newer version wrote it, leave it: that version will use it again.',
  unknownCure:
    'If it is a typing error, correct it. If a newer version wrote it, leave it: that version will use it again.',
  whatMachine: 'Machine',
  unbound: 'The till cannot identify this machine, so it would not notice a copy of its data folder.',
  nameMachine: 'Start the till with a name for this machine.',
  elsewhere: 'The till’s data folder belongs to another machine, so the till cannot sell here.',
  sayWhat: 'A manager decides whether it was moved here or is a copy.',
  whatFolder: 'Folder',
  openFolder: 'Users who do not sell here can open the till’s folder, and its keys with it: {who}.',
  narrowFolder: 'Other users of this machine cannot open the till’s folder, so they cannot sell on this till.',
  unsaidFolder: 'The system does not show who can open the till’s folder, and its keys with it: {said}.',
  rightlessFolder:
    'The till’s folder is on a disk with {fileSystem}, which has no permissions: anyone who uses this machine or takes the disk can open the folder, and its keys with it.',
  moveFolder: 'Stop the till, then move the folder to a disk with permissions, such as this machine’s own.',
  lookFolder: 'An administrator can see it with: {command}',
  closeFolder: 'An administrator runs: {command}',
  device: '{model}, serial number {serial}, firmware {firmware}.',
  unknown: 'unknown',
  otherDevice: '{device} The till is paired with another: {model}, serial number {serial}.',
  pairAnew: 'Pair the till again.',
  pairedDevice: '{device} This is the paired terminal, since {since}.',
  ownKeys: 'It keeps its own keys and contacts its own host.',
  terminalSays: '{text}',
  offAndOn: 'Switch the terminal off and on, then diagnose it again.',
  key: 'The key for {use}{place}',
  sred: 'card data',
  pin: 'PINs',
  mac: 'message checks',
  keyUsedUp: '{key} has been used up.',
  keyMissing: '{key} is missing or not ready.',
  keyReady: '{key} is ready.',
  keyLeft: '{key} has {uses, plural, one {# use} other {# uses}} left.',
  newKeys: 'Have new keys loaded into the terminal.',
  tampered: 'The terminal reports that someone opened it.',
  outOfUse: 'Take it out of use, keep it separate, and tell the person responsible for terminals.',
  clockOff: 'The terminal’s clock is {clock}.',
  clockRight: 'correct',
  clockAhead: '{much} ahead',
  clockBehind: '{much} behind',
  setClock: 'Set the terminal’s clock, and check the till’s own clock too.',
  allWell: 'No problems.{battery}{clock}',
  battery: ' Battery {percent} %.',
  clockIs: ' Clock {clock}.',

  serialUnlisted: 'Serial ports cannot be listed the usual way ({why}), so the till read the system’s files instead.',
  hidUnlisted: 'HID devices cannot be listed the usual way ({why}), so the till read the system’s files instead.',
  byNetwork: 'The terminal is on the network, at {host} port {port}.',
  portIs: 'The port is {path}.',
  portFree: '{path} exists and is free.',
  notPlugged: 'The terminal is not connected.',
  noPort: 'There is no port {path}.',
  usbDevice: 'a USB device',
  mayNotUse: 'This user has no permission to use {path}.',
  allowPort: '{why}',
  held: 'Another program has {path} open.',
  taker: '{path} is free now, but a program on this machine opens such ports.',
  closeHolder: '{why}',
  checkInOrder: 'Check, in this order:',
  isOn: 'Is the terminal switched on, fully started and charged?',
  isCabled:
    'Is the cable plugged in at both ends, and is it a data cable? Try another one, and another socket without a hub.',
  linuxSees: 'Does the system see it? dmesg reports each device that is plugged in; lsusb lists all of them.',
  linuxMay:
    'Does this user have permission to use it? Run once: {command}, then log in again and reconnect the terminal.',
  windowsSees: 'Does the Device Manager show it under Ports (COM & LPT) or Human Interface Devices, without a warning?',
  macSees: 'Does System Information list it under USB? A serial terminal is a file: ls /dev/cu.*',
  isTaken:
    'Is another program using the terminal? Close other point-of-sale programs and the manufacturer’s own tools.',
  isSet:
    'Is the terminal set to the interface that you expect (USB serial, USB HID, network)? Its menu or label shows it.',
  isNamed:
    'The till does not search the network for terminals: enter the address, such as mpi+tcp://192.168.1.20:6543, and try to ping it.',

  notAsked: 'The terminal was not asked.',
  answersAs: 'It answers as {title}.',
  noEchoes: 'No test questions were requested.',
  echoesLost: '{lost} of {asked, plural, one {# question} other {# questions}} got no answer: {why}.',
  otherCable: 'Try another cable and another socket; then another terminal.',
  allAnswered:
    'It answered {asked, plural, one {# question} other {all # questions}}: half within {median}, all within {most}.',
  slowWay: 'The connection is slow: half of the answers within {median}, all within {most}.',
  otherSocket: 'Try another socket without a hub; for a network terminal, check the network.',
  brokeOff: 'It answered, then the connection failed: {fault}.',
  failed: '{fault}.',
  notThere:
    'Check that the terminal is switched on and in this network, and that its menu shows this address and port; try to ping it.',
  wake: 'A device is there but does not answer: wake the terminal, check its model and interface, or switch it off and on.',
  otherThing: 'Another kind of device answers, or at a different speed: check the model, then the cable.',
  checkCable: 'Check the cable and the terminal’s power; try another socket.',
  fine: 'The terminal works without problems.',
  works: 'The terminal works. {worst}',
  unusable: 'The terminal cannot be used in this state. {worst}',

  answers: 'It answers.',
  meets: '{title}: {model}, serial number {serial}, firmware {firmware}.',
  tested: 'It answered {count, plural, one {# question} other {all # questions}}, within {most}.',
} as const;

export type CheckCode = keyof typeof checkWords;
export const tellCheck = messageFactory('check', checkWords);
export type CheckIn = typeof checkWords;

/** The usual way to list connected devices failed. */
export const unlistedMessage = ({ by, why }: { by: 'serial' | 'hid'; why: string }): LocalizedMessage =>
  tellCheck(`${by}Unlisted`, { why });

/** A fault as a localized message: screens have the faults in their languages. */
export const faultMessage = ({ code, message, facts }: Fault): LocalizedMessage => ({
  code: `fault.${code}`,
  says: message,
  facts,
});

/** What a person does about a fault. */
export const faultNextMessage = ({ code, next, facts }: Fault): LocalizedMessage => ({
  code: `faultNext.${code}`,
  says: next,
  facts,
});

/** What each step of the connection test found, and what to do about it. */

export const lineWords = {
  inTheBox: 'The gateway is part of this program, so there is no connection to test.',
  notAsked: 'Not tested: this needs {what} first.',
  itsName: 'the name lookup',
  aLine: 'a connection',
  encryption: 'encryption',
  isAddress: '{host} is an address, so no name has to be looked up.',
  nameFound: '{host} is at {addresses}.',
  nameUnknown: 'The name {host} is not known: {code}.',
  checkName: 'Check the name in the configuration, then this machine’s network and its name server (DNS).',
  portOpen: 'Port {port} of {host} accepts connections.',
  portRefuses: 'Port {port} of {host} refuses connections ({code}).',
  portAway: 'Port {port} of {host} cannot be reached: {code}.',
  nothingListens:
    'The machine answers, but nothing listens on this port: check the port, then ask the gateway’s operator.',
  checkRoute: 'Check the cable or Wi-Fi, then the router; a firewall may block this port.',
  noProxy: 'No proxy is set; the till connects directly.',
  proxyUnused: '{variable} names the proxy {proxy}, which the till does not use: it connects directly.',
  letThrough: 'If the network only allows connections through a proxy, have the gateway’s address allowed.',
  plainHere: 'The connection is not encrypted (http), but it does not leave this machine.',
  plain: 'The connection is not encrypted (http).',
  useHttps: 'Set the gateway’s https address in the configuration.',

  noHandshake: 'No encrypted connection could be established: {code}.',
  otherServer: 'The server there may not use https, or a proxy may be in between. Check the port.',
  certificate: '{protocol}; the certificate is for {name}, until {until}',
  certificateGood: '{certificate}.',
  certificateEnds: 'Days until the certificate expires: {days} ({certificate}).',
  renew: 'Tell the gateway’s operator: it must be renewed before then.',
  otherName: 'The certificate is for another name ({certificate}).',
  otherNameCure:
    'Check the address in the configuration. If it is right, someone may be intercepting the connection: tell the gateway’s operator.',
  untrusted: 'The certificate is not trusted here: {code} ({certificate}).',
  untrustedCure:
    'If your company uses its own certificate, install it on this machine. If not, do not use this connection.',
  expired: 'The certificate has expired ({certificate}).',
  expiredCure: 'Check this machine’s date first. If it is right, the gateway’s operator has to renew the certificate.',
  notYet: 'The certificate is not valid yet ({certificate}).',
  notYetCure: 'Set this machine’s clock: it is probably behind.',

  noAnswer: 'The gateway does not answer.',
  mendAbove: 'Fix the first problem above. Until then the till sells offline, within its limits.',
  answersStopped: 'The gateway stopped answering. Answers before that: {count}.',
  tryAgain: 'Try again. If a connection comes and goes, the cause is often Wi-Fi or an overloaded router.',
  answered: 'It answered {count, plural, one {# question} other {all # questions}}, half of them within {median} ms.',
  answeredSlowly:
    'It answered {count, plural, one {# question} other {all # questions}}, half of them within {median} ms. That is slow.',
  whoElse: 'Check who else uses this connection.',
  sameClock: 'Both use this machine’s clock.',
  noTime: 'The gateway does not report its time.',
  clockAgrees: 'This till’s clock agrees with the gateway’s.',
  clockAhead: 'This till’s clock is {seconds} s ahead of the gateway’s.',
  clockBehind: 'This till’s clock is {seconds} s behind the gateway’s.',
  setClock: 'Set this machine’s clock, and let the network set it automatically from now on.',
} as const;

export type LineCode = keyof typeof lineWords;
export const tellLine = messageFactory('line', lineWords);
export type LineIn = typeof lineWords;

/** The checklist for going live: what is ready, and what to do about the rest. */

export const goingLiveWords = {
  terminalsReal: 'Paired: {terminals}.',
  terminalMissing: 'No terminal is paired at {counters}.',
  terminalSimulated: 'The terminal at {counters} is simulated: it charges no cards.',
  terminalTestHost: 'The terminal at {counters} uses its manufacturer’s test host: it charges no cards.',
  pairReal: 'Pair a real terminal there.',
  leaveTestHost: 'Have it connected to its bank, then record that it no longer uses a test host.',

  gatewayNotNeeded: 'Not needed: the terminals contact their banks themselves.',
  gatewayAnswers: 'The gateway at {url} accepts this channel.',
  gatewayUntried: 'No live channel has been tested yet.',
  gatewayAway: 'The gateway at {url} cannot be reached: {fault}',
  gatewayRefuses: 'The gateway at {url} does not accept this channel: {code} {description}',
  gatewayPlain: 'The connection to the gateway at {url} would not be encrypted.',
  giveChannel: 'Enter the address, the entity ID and the token of your live channel, and test it.',
  useHttps: 'Enter its https address, with a slash at the end and nothing after it.',
  checkLine: 'Check the address, then this machine’s network.',
  checkChannel: 'Check the entity ID and the token with the provider of the channel.',

  managerThere: 'A manager can sign in: {names}.',
  managerMissing: 'This till has no manager yet.',
  addManager: 'Add a manager with a PIN.',

  shopSet: '{name}, {address}. Terminal number {terminalId}.',
  nameMissing: 'The shop has no name yet.',
  addressMissing: 'The shop has no address yet.',
  terminalIdMissing: 'The terminal number {terminalId} is only an example.',
  both: '{first} {second}',
  setShop:
    'Enter the missing details in till.json, or import a configuration that contains them. The terminal number comes from your acquirer.',

  foundTerminal: 'It took payments on a real terminal before there was a test mode and a live mode.',
  foundAnswer: 'Its live gateway approved payments before there was a test mode and a live mode.',
} as const;

export type GoingLiveCode = keyof typeof goingLiveWords;
export const tellGoingLive = messageFactory('goingLive', goingLiveWords);
export type GoingLiveIn = typeof goingLiveWords;

/** Several messages, one after the other. */
export const tellAll = ([first, ...rest]: readonly [LocalizedMessage, ...LocalizedMessage[]]): LocalizedMessage =>
  rest.reduce((combined, second) => tellGoingLive('both', { first: combined, second }), first);
