/**
 * Each row of the vector file about MagTek devices, as the driver's narrator reads it off a line: messages, reports,
 * SLIP frames, and the vendor's data block in a notification. Their effect on a sale: `driver.test.ts`.
 */
import { expect, test } from 'vitest';
import { decodeBlock } from '../../../drivers/mms/protocol/card-data.ts';
import { encodeFramed, frameMessage, payloadOf } from '../../../drivers/mms/protocol/messages.ts';
import { mmsNarrator } from '../../../drivers/mms/protocol/narrator.ts';
import { fromHex, toHex } from '../../../src/base/hex.ts';
import { decodeTlv, encodeTlv, find, tlv } from '../../../src/emv/tlv.ts';
import { captured, captures } from './captures.ts';
import { openContainer } from './hsm.ts';

const wayOf = (direction: string) => (direction === 'host->device' ? 'said' : 'heard');
const fromOf = (direction: string) => (direction === 'host->device' ? 'host' : 'device');

const messages = captures('magtek-mms');
const whole = messages.filter(({ hex }) => hex.startsWith('AA00'));

/** Commands and notifications that this driver does not use: they are described by their numbers. */
const others = /^(challenge\.resp|buzzer\.req|pin\.card\.resp|notif\.nfc\.uid|notif\.pin\.ok)$/;

/** The script (86) has a length of six and a command of seven bytes, so that a byte is left over behind tag 71. */
const malformed = 'resume.req.arpc.script';

test.each(whole.map((row) => [row.name, row] as const))('%s, off a line of either kind', (name, { hex, direction }) => {
  for (const carries of ['stream', 'reports'] as const) {
    const bytes = frameMessage(fromHex(hex), { carries, from: fromOf(direction) });
    const text = mmsNarrator(carries).push(wayOf(direction), bytes).join('\n');
    if (name === malformed) return expect(text).toMatch(/whose \d+ bytes cannot be read/);
    expect(text).not.toMatch(/unreadable|bytes cannot be read/);
    if (!others.test(name)) expect(text).not.toMatch(/unknown/);
    expect(text).not.toBe('');
    expect(text).not.toContain('5413339000001513');
  }
});

test('reports and SLIP frames of the file are whole messages', () => {
  const reports = captures('magtek-mms-hid');
  const names = new Set(reports.map(({ name }) => name.replace(/\.report\d\/\d$/, '')));
  for (const name of names) {
    const parts = reports.filter((row) => row.name.startsWith(`${name}.report`));
    const narrator = mmsNarrator('reports');
    const lines = parts.flatMap(({ hex, direction }) => narrator.push(wayOf(direction), fromHex(hex)));
    expect([name, lines.length, lines.join()]).toEqual([name, 1, expect.not.stringMatching(/unreadable/)]);
  }
  const slip = captures('magtek-mms-slip');
  for (const { name, hex, direction } of slip) {
    const text = mmsNarrator('stream').push(wayOf(direction), fromHex(hex)).join();
    expect([name, text]).toEqual([name, expect.not.stringMatching(/^$|unreadable/)]);
  }
  expect([names.size, slip.length]).toEqual([4, 3]);
});

test('the vendor’s batch block, in a notification, and its container opened', () => {
  const block = captured('batch.block.accept');
  const payload = payloadOf('0101', encodeTlv([tlv('84', block)]));
  const notification = { kind: 'notification', id: '0101', detail: '10080302', payload } as const;
  const lines = mmsNarrator('stream').push('heard', encodeFramed(notification, { carries: 'stream', from: 'device' }));
  expect(lines.join()).not.toMatch(/unreadable|unknown|cannot/);
  const { sealed } = decodeBlock(block);
  const plain = find(decodeTlv(captured('batch.block.decrypted').slice(0, 234)), 'FC')?.children ?? [];
  expect(sealed && toHex(encodeTlv(openContainer(sealed)))).toBe(toHex(encodeTlv(plain)));
});

test('the plain text of the file’s ARQC block matches its container', () => {
  const plain = decodeTlv(captured('notif.arqc.contact.pin.plaintext'));
  expect(toHex(find(plain, 'FC')?.value ?? new Uint8Array(0))).not.toBe('');
});

test('every row of the file is used', () => {
  const played = whole.length + captures('magtek-mms-hid').length + captures('magtek-mms-slip').length;
  const blocks = captures('magtek-dynapro-block').length;
  const left = messages.filter(({ hex }) => !hex.startsWith('AA00')).map(({ name }) => name);
  expect([left, blocks]).toEqual([['notif.arqc.contact.pin.plaintext'], 2]);
  expect(played).toBe(67 - 1 + 13 + 3);
});
