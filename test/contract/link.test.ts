/**
 * The contract of every link: bytes arrive in order, whatever they are; loss is reported once; closing is silent. A
 * link of reports takes and delivers whole reports.
 */
import { afterEach, expect, test } from 'vitest';
import { type Link, reportBytes } from '../../drivers/links/link.ts';
import { isFault } from '../../src/base/fault.ts';
import { concat, toHex } from '../../src/base/hex.ts';
import { type LinkPair, linkKinds } from './links.ts';

const open: LinkPair[] = [];
const pair = async (kind: string): Promise<LinkPair> => {
  const created = await linkKinds[kind]?.();
  if (created === undefined) throw new Error(`no link is named ${kind}`);
  open.push(created);
  return created;
};

afterEach(async () => {
  for (const { till, device, done } of open.splice(0)) {
    await till.close();
    await device.close();
    await done();
  }
});

/** Listens to a link: collects the bytes and the reported losses. */
const collect = (link: Link) => {
  let all: Uint8Array = new Uint8Array(0);
  const losses: unknown[] = [];
  const waiting: { isEnough: () => boolean; resume: () => void }[] = [];
  const checkWaiting = () => {
    for (const { isEnough, resume } of waiting) if (isEnough()) resume();
  };
  const waitUntil = (isEnough: () => boolean) =>
    new Promise<void>((resume) => {
      waiting.push({ isEnough, resume });
      checkWaiting();
    });
  link.listen({
    bytes(bytes) {
      all = concat(all, bytes);
      checkWaiting();
    },
    closed(fault) {
      losses.push(fault);
      checkWaiting();
    },
  });
  return {
    losses,
    received: () => all,
    waitForBytes: (count: number) => waitUntil(() => all.length >= count),
    waitForLoss: () => waitUntil(() => losses.length > 0),
  };
};

/** The bytes as this link carries them: at once, or in reports padded with zeros. */
const carriedPieces = ({ carries }: Link, bytes: Uint8Array): Uint8Array[] => {
  if (carries === 'stream') return [bytes];
  const count = Math.ceil(bytes.length / reportBytes);
  return Array.from({ length: count }, (_, index) => {
    const part = bytes.slice(index * reportBytes, (index + 1) * reportBytes);
    return concat(part, new Uint8Array(reportBytes - part.length));
  });
};
const send = async (link: Link, bytes: Uint8Array): Promise<void> => {
  for (const part of carriedPieces(link, bytes)) await link.write(part);
};
const carriedBytes = (link: Link, bytes: Uint8Array): Uint8Array => concat(...carriedPieces(link, bytes));

const everyByte = Uint8Array.from({ length: 256 }, (_, index) => index);

for (const kind of Object.keys(linkKinds)) {
  test(`${kind}: every byte value arrives, both ways`, async () => {
    const { till, device } = await pair(kind);
    const atDevice = collect(device);
    const atTill = collect(till);
    await send(till, everyByte);
    await send(device, everyByte);
    await atDevice.waitForBytes(256);
    await atTill.waitForBytes(256);
    expect(toHex(atDevice.received())).toBe(toHex(everyByte));
    expect(toHex(atTill.received())).toBe(toHex(everyByte));
  });

  test(`${kind}: many writes arrive in order`, async () => {
    const { till, device } = await pair(kind);
    const atDevice = collect(device);
    collect(till);
    const chunks = Array.from({ length: 40 }, (_, index) => new Uint8Array(50).fill(index));
    const expected = concat(...chunks.map((chunk) => carriedBytes(till, chunk)));
    await Promise.all(chunks.map((chunk) => send(till, chunk)));
    await atDevice.waitForBytes(expected.length);
    expect(toHex(atDevice.received())).toBe(toHex(expected));
  });

  test(`${kind}: written bytes can be changed by their owner afterwards`, async () => {
    const { till, device } = await pair(kind);
    const atDevice = collect(device);
    const bytes = carriedBytes(till, Uint8Array.of(1, 2, 3));
    const expected = toHex(bytes);
    await till.write(bytes);
    bytes.fill(9);
    await atDevice.waitForBytes(bytes.length);
    expect(toHex(atDevice.received())).toBe(expected);
  });

  test(`${kind}: bytes wait for a listener`, async () => {
    const { till, device } = await pair(kind);
    const atTill = collect(till);
    const expected = carriedBytes(till, Uint8Array.of(1, 2, 3));
    await till.write(expected);
    await send(device, Uint8Array.of(7));
    await atTill.waitForBytes(1);
    const atDevice = collect(device);
    await atDevice.waitForBytes(expected.length);
    expect(toHex(atDevice.received())).toBe(toHex(expected));
  });

  test(`${kind}: the loss of the other end is reported once, and writing then fails in time`, async () => {
    const { till, device } = await pair(kind);
    const atTill = collect(till);
    await device.close();
    await atTill.waitForLoss();
    expect(atTill.losses).toHaveLength(1);
    expect(isFault(atTill.losses[0], 'link.lost')).toBe(true);
    await expect(send(till, Uint8Array.of(1))).rejects.toMatchObject({ code: 'link.lost' });
    expect(atTill.losses).toHaveLength(1);
  });

  test(`${kind}: our own close is silent, can be repeated, and ends writing`, async () => {
    const { till, device } = await pair(kind);
    collect(device);
    const atTill = collect(till);
    await Promise.all([till.close(), till.close()]);
    await till.close();
    expect(atTill.losses).toEqual([]);
    await expect(send(till, Uint8Array.of(1))).rejects.toMatchObject({ code: 'link.lost' });
  });
}

for (const kind of Object.keys(linkKinds).filter((name) => /reports|hid/.test(name))) {
  test(`${kind}: delivers whole reports, and accepts nothing else`, async () => {
    const { till, device } = await pair(kind);
    const sizes: number[] = [];
    till.listen({ bytes: (bytes) => sizes.push(bytes.length), closed: () => {} });
    collect(device);
    for (let index = 0; index < 5; index += 1) await device.write(new Uint8Array(reportBytes).fill(index));
    await new Promise((resolve) => setImmediate(resolve));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(5 * reportBytes);
    expect(sizes.filter((size) => size % reportBytes !== 0)).toEqual([]);
    for (const length of [1, reportBytes - 1, reportBytes + 1]) {
      await expect(till.write(new Uint8Array(length))).rejects.toMatchObject({ code: 'link.lost' });
    }
  });
}
