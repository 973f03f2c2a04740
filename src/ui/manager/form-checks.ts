/** Checks a manager's input before it is sent: a new PIN, typed twice, and a gateway channel. */
import type { LiveChannel } from '../../api/contract/machine.ts';
import { isGatewayAddress } from '../../base/gateway-address.ts';

export type Pins = { pin: string; again: string };

/** The second PIN is not judged before it is as long as the first. */
export const pinFault = ({ pin, again }: Pins): 'short' | 'differs' | 'unfinished' | undefined => {
  if (pin.length < 4) return 'short';
  if (pin === again) return undefined;
  return again.length >= pin.length || !pin.startsWith(again) ? 'differs' : 'unfinished';
};

/** A channel as it is typed, including anything copied along with it. */
export type TypedChannel = Readonly<LiveChannel>;
export type ChannelField = keyof TypedChannel;

/** The address with a final slash, the entity in lower case, and no spaces around any of them. */
export const channelOf = ({ baseUrl, entityId, token }: TypedChannel): LiveChannel => ({
  baseUrl: baseUrl.trim().replace(/\/*$/, '/'),
  entityId: entityId.trim().toLowerCase(),
  token: token.trim(),
});

/** In the order of the form. */
export const wrongFields = (typed: TypedChannel): ChannelField[] => {
  const { baseUrl, entityId, token } = channelOf(typed);
  const isRight: Readonly<Record<ChannelField, boolean>> = {
    baseUrl: isGatewayAddress(baseUrl),
    entityId: /^[0-9a-f]{32}$/.test(entityId),
    token: /^[!-~]{8,512}$/.test(token),
  };
  return (Object.keys(isRight) as ChannelField[]).filter((field) => !isRight[field]);
};
