/** What the machine says on its console: a line for each scene, and what happened in it as comments before. */

/** A comment, in as many lines as it has. */
export const note = (text: string): void => {
  const seconds = process.uptime().toFixed(1).padStart(6);
  for (const line of text.split('\n')) process.stdout.write(`# ${seconds}  ${line}\n`);
};

export type Scene = { name: string; play(): Promise<void> };

/** How long one scene may take. */
const sceneMs = 120_000;

/** Plays them one after the other; one that fails is told with its reason, and the next one comes after `clear`. */
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
  const late = new Promise<never>((_, reject) => {
    stop = setTimeout(() => reject(new Error(`not over after ${sceneMs} ms`)), sceneMs);
  });
  try {
    await Promise.race([play().finally(clear), late]);
    return undefined;
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  } finally {
    clearTimeout(stop);
  }
};
