/** Once a message is answered, the key of its sealed content may not be anywhere on the disk. */
import type { Station } from './station.ts';

/** Sends the waiting messages while the till continues; afterwards no key of an answered one is left. */
export const drain = (station: Station): void => {
  const { run } = station;
  const drainRun = run.running.forwarder.drain('all');
  const endRun = () => void station.hurried.delete(drainRun);
  station.hurried.add(drainRun);
  drainRun.then(endRun, endRun);
  drainRun.then(
    ({ done }) => {
      // If the disk refuses the cleaning, the next drain repeats it.
      const isUndisturbed = station.faults.disk.length === 0 && station.isUp && station.run === run;
      if (done > 0 && isUndisturbed) checkSealed(station);
    },
    () => undefined,
  );
};

/** Checks every message that no longer waits. */
export const checkSealed = (station: Station): void => {
  const { sql } = station.run.running.journal;
  const rows = sql.all("SELECT id FROM message WHERE state IN ('waiting', 'parked')");
  const unsettled = new Set(rows.map(({ id }) => String(id)));
  const settledMessages = station.sealed.filter(({ message }) => !unsettled.has(message));
  for (const [file, bytes] of station.disk.files()) {
    const plaintextCount = settledMessages.filter((sealed) => Buffer.from(bytes).includes(sealed.bytes)).length;
    if (plaintextCount > 0) station.report(`${plaintextCount} keys of answered sales are still in ${file}`);
  }
};
