/** What the checklist for going live says of a till, and what to do about it. */
import { type Told, teller } from '../../../base/told.ts';

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

/** Several, one after the other. */
export const tellAll = ([first, ...more]: readonly [Told, ...Told[]]): Told =>
  more.reduce((told, second) => tellGoingLive('both', { first: told, second }), first);
