/**
 * What every first screen asks of the till: who is signed in, and who could be. It is asked by a script of its own,
 * while the browser still reads the page's program, so that the first thing drawn is a screen. It imports nothing.
 */
const ask = (path: string): Promise<Response | undefined> =>
  fetch(path, { credentials: 'same-origin' }).catch(() => undefined);

const asked = new Map(['/api/session', '/api/session/names'].map((path) => [path, ask(path)]));

/** The answer to this request, for its first asker alone; undefined where it was not asked, or there was no answer. */
export const firstAnswer = async (path: string): Promise<Response | undefined> => {
  const answer = asked.get(path);
  asked.delete(path);
  return answer;
};
