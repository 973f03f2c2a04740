/** What every link keeps to: bytes in order, whatever they are; loss told once; closing without a word. */
import { afterEach, expect, test } from 'vitest';
import type { Link } from '../../drivers/links/link.ts';
import { isFault } from '../../src/base/fault.ts';
import { concat, toHex } from '../../src/base/hex.ts';
import { kinds, type Pair } from './links.ts';

const open: Pair[] = [];
const pair = async (kind: string): Promise<Pair> => {
  const made = await kinds[kind]?.();
  if (made === undefined) throw new Error(`no link is named ${kind}`);
  open.push(made);
  return made;
};

afterEach(async () => {
  for (const { till, device, done } of open.splice(0)) {
    await till.close();
    await device.close();
    await done();
  }
});

/** Hears a link: what came, and the losses told. */
const ear = (link: Link) => {
  let all: Uint8Array = new Uint8Array(0);
  const losses: unknown[] = [];
  const waiting: { enough: () => boolean; go: () => void }[] = [];
  const look = () => {
    for (const { enough, go } of waiting) if (enough()) go();
  };
  const until = (enough: () => boolean) =>
    new Promise<void>((go) => {
      waiting.push({ enough, go });
      look();
    });
  link.listen({
    bytes(bytes) {
      all = concat(all, bytes);
      look();
    },
    closed(why) {
      losses.push(why);
      look();
    },
  });
  return {
    losses,
    heard: () => all,
    bytes: (count: number) => until(() => all.length >= count),
    lost: () => until(() => losses.length > 0),
  };
};

const everyByte = Uint8Array.from({ length: 256 }, (_, at) => at);

for (const kind of Object.keys(kinds)) {
  test(`${kind}: every byte value arrives, both ways`, async () => {
    const { till, device } = await pair(kind);
    const atDevice = ear(device);
    const atTill = ear(till);
    await till.write(everyByte);
    await device.write(everyByte);
    await atDevice.bytes(256);
    await atTill.bytes(256);
    expect(toHex(atDevice.heard())).toBe(toHex(everyByte));
    expect(toHex(atTill.heard())).toBe(toHex(everyByte));
  });

  test(`${kind}: many writes arrive in order`, async () => {
    const { till, device } = await pair(kind);
    const atDevice = ear(device);
    ear(till);
    const chunks = Array.from({ length: 40 }, (_, at) => new Uint8Array(50).fill(at));
    await Promise.all(chunks.map((chunk) => till.write(chunk)));
    await atDevice.bytes(2_000);
    expect(toHex(atDevice.heard())).toBe(toHex(concat(...chunks)));
  });

  test(`${kind}: what is written may be changed by its owner afterwards`, async () => {
    const { till, device } = await pair(kind);
    const atDevice = ear(device);
    const bytes = Uint8Array.of(1, 2, 3);
    await till.write(bytes);
    bytes.fill(9);
    await atDevice.bytes(3);
    expect(toHex(atDevice.heard())).toBe('010203');
  });

  test(`${kind}: bytes wait for a listener`, async () => {
    const { till, device } = await pair(kind);
    const atTill = ear(till);
    await till.write(Uint8Array.of(1, 2, 3));
    await device.write(Uint8Array.of(7));
    await atTill.bytes(1);
    const atDevice = ear(device);
    await atDevice.bytes(3);
    expect(toHex(atDevice.heard())).toBe('010203');
  });

  test(`${kind}: the loss of the other end is told once, and writing then fails in its time`, async () => {
    const { till, device } = await pair(kind);
    const atTill = ear(till);
    await device.close();
    await atTill.lost();
    expect(atTill.losses).toHaveLength(1);
    expect(isFault(atTill.losses[0], 'link.lost')).toBe(true);
    await expect(till.write(Uint8Array.of(1))).rejects.toMatchObject({ code: 'link.lost' });
    expect(atTill.losses).toHaveLength(1);
  });

  test(`${kind}: a close of our own says nothing, may come twice, and ends writing`, async () => {
    const { till, device } = await pair(kind);
    ear(device);
    const atTill = ear(till);
    await Promise.all([till.close(), till.close()]);
    await till.close();
    expect(atTill.losses).toEqual([]);
    await expect(till.write(Uint8Array.of(1))).rejects.toMatchObject({ code: 'link.lost' });
  });
}
