/** Where a gateway's address leads, and who can read the traffic on the way. */
import { expect, test } from 'vitest';
import {
  isBaseAddress,
  isGatewayAddress,
  isLoopback,
  isPrivateNetwork,
  reachOf,
} from '../../src/base/gateway-address.ts';

test.each([
  ['https://pay.example/', 'encrypted'],
  ['https://10.0.0.5:8700/', 'encrypted'],
  ['http://127.0.0.1:8700/', 'thisMachine'],
  ['http://127.8.9.10/', 'thisMachine'],
  // The platform reads this as 127.0.0.1.
  ['http://2130706433/', 'thisMachine'],
  ['http://[::1]:8700/', 'thisMachine'],
  ['http://[::ffff:127.0.0.1]/', 'thisMachine'],
  ['http://localhost:8700/api/', 'thisMachine'],
  ['http://10.0.0.5:8700/', 'privateNetwork'],
  ['http://172.16.0.1/', 'privateNetwork'],
  ['http://172.31.255.255/', 'privateNetwork'],
  ['http://192.168.1.20:8700/', 'privateNetwork'],
  ['http://169.254.1.1/', 'privateNetwork'],
  ['http://[fc00::1]/', 'privateNetwork'],
  ['http://[fdff:1::1]/', 'privateNetwork'],
  ['http://[fe80::1]/', 'privateNetwork'],
  ['http://[febf::1]/', 'privateNetwork'],
  ['http://[::ffff:192.168.1.20]/', 'privateNetwork'],
  ['http://gateway:8700/', 'privateNetwork'],
  ['http://gateway.local/', 'privateNetwork'],
  ['http://GW.shop.LAN./', 'privateNetwork'],
  ['http://gw.internal/', 'privateNetwork'],
  ['http://gw.home.arpa/', 'privateNetwork'],
  ['http://pay.example/', 'elsewhere'],
  ['http://local/', 'privateNetwork'],
  ['http://home.arpa.example/', 'elsewhere'],
  ['http://127.example.com/', 'elsewhere'],
  ['http://localhost.example/', 'elsewhere'],
  ['http://11.0.0.1/', 'elsewhere'],
  ['http://172.15.0.1/', 'elsewhere'],
  ['http://172.32.0.1/', 'elsewhere'],
  ['http://192.169.0.1/', 'elsewhere'],
  ['http://100.64.0.1/', 'elsewhere'],
  ['http://0.0.0.0/', 'elsewhere'],
  ['http://[::]/', 'elsewhere'],
  ['http://[fec0::1]/', 'elsewhere'],
  ['http://[2001:db8::1]/', 'elsewhere'],
  ['http://[::ffff:8.8.8.8]/', 'elsewhere'],
])('%s: %s', (address, reach) => expect(reachOf(address)).toBe(reach));

test.each(['', 'pay.example', 'ftp://pay.example/'])('%s is not an address', (text) => {
  expect(reachOf(text)).toBeUndefined();
  expect(isGatewayAddress(text)).toBe(false);
});

test.each(['https://pay.example', 'https://u:p@pay.example/', 'https://a/?b/', 'https://a/#b/'])(
  'no path can be appended to %s',
  (text) => expect([isBaseAddress(text), isGatewayAddress(text)]).toEqual([false, false]),
);

test('a token is encrypted or does not leave this machine', () => {
  expect(['https://pay.example/', 'http://127.0.0.1/', 'http://[::1]/'].every(isGatewayAddress)).toBe(true);
  expect(['http://10.0.0.5/', 'http://pay.example/', 'nonsense'].some(isGatewayAddress)).toBe(false);
});

test('a peer address is on this machine, in a private network, or neither', () => {
  expect(['127.0.0.1', '::1', '::ffff:127.0.0.1', 'localhost'].every(isLoopback)).toBe(true);
  expect(['0.0.0.0', '::', '10.0.0.5', '', 'gateway'].some(isLoopback)).toBe(false);
  expect(['10.0.0.5', 'fd00::1', '::ffff:10.0.0.5', 'fe80::1%eth0'].every(isPrivateNetwork)).toBe(true);
  expect(['8.8.8.8', '::ffff:8.8.8.8', '2001:db8::1'].some(isPrivateNetwork)).toBe(false);
});
