/** The date and time that readers receive (tags 9A and 9F21) are those of the shop, wherever the machine is. */
import { expect, test } from 'vitest';
import { mpi } from '../../drivers/mpi/driver/driver.ts';
import { neo2 } from '../../drivers/neo2/driver/driver.ts';
import { openedOnTape, tapeSale } from '../support/devices/driver-tape.ts';
import * as mpiTape from './mpi/mpi-tape.ts';
import * as neo2Tape from './neo2/neo2-tape.ts';

/** Thursday before noon in London; Friday has begun in Auckland. */
const sale = { ...tapeSale, at: Date.UTC(2026, 0, 1, 11, 30, 15) };
const tell = (text: string): string => text.replaceAll('9A03260101 9F2103120000', '9A03260102 9F2103003015');

test.each([
  [mpi, mpiTape.bytesOf(`${mpiTape.hello}${mpiTape.beginning()}\n> ${tell(mpiTape.startTap)}\nx`)],
  [neo2, neo2Tape.bytesOf(`${neo2Tape.hello}${tell(neo2Tape.beginning())}\nx`)],
])('$name', async (driver, bytes) => {
  const { read, link } = await openedOnTape({ driver, bytes, sale, timeZone: 'Pacific/Auckland' });
  await expect(read()).rejects.toMatchObject({ code: 'link.lost' });
  // Every byte was as recorded: another date would have been the first wrong one.
  expect(link.left()).toEqual([]);
});
