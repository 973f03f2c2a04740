/** The machine's console output: a line for each scene, preceded by comments about what happened in it. */

/** A comment, on as many lines as it has. */
export const note = (text: string): void => {
  const seconds = process.uptime().toFixed(1).padStart(6);
  for (const line of text.split('\n')) process.stdout.write(`# ${seconds}  ${line}\n`);
};

export type Scene = { name: string; play(): Promise<void> };

/** How long one scene may take. */
const sceneMs = 120_000;

/**
 * Plays the scenes one after another; a failed one is reported with its reason, and the next one follows after `clear`.
 */
export const playAll = async (scenes: readonly Scene[], clear: () => Promise<void>): Promise<void> => {
  for (const [at, scene] of scenes.entries()) {
    const failed = await play(scene, clear);
    if (failed !== undefined) note(failed);
    process.stdout.write(`${failed === undefined ? 'ok' : 'not ok'} ${at + 1} - ${scene.name}\n`);
  }
  process.stdout.write(`1..${scenes.length}\n`);
};

const play = async ({ name, play }: Scene, clear: () => Promise<void>): Promise<string | undefined> => {
  note(`== ${name}`);
  let stop: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    stop = setTimeout(() => reject(new Error(`not over after ${sceneMs} ms`)), sceneMs);
  });
  try {
    await Promise.race([play().finally(clear), timeout]);
    return undefined;
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  } finally {
    clearTimeout(stop);
  }
};
