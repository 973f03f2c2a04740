/**
 * A register that listens to its till, with nothing to install: Node 20 or later. It hands each result to `print` once,
 * however often the line is cut, and goes on after a start of its own from the id that it kept.
 */

/** The parts of a stream of server-sent events: `id`, `event` and `data` of each. */
async function* eventsIn(body) {
  let text = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const field = (name) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(text.slice(0, end))?.[1];
      const [id, event, data] = ['id', 'event', 'data'].map(field);
      text = text.slice(end + 2);
      yield { id, event, data: data === undefined ? undefined : JSON.parse(data) };
    }
  }
}

/**
 * Listens until `signal` is aborted. `till` is its address, `key` a program's key, `after` the id that was kept last.
 * `print(sale)`: an ending, as `sale.result` has it. `keep(id)`: called when all up to this id was handed over.
 * `readLists()`: events were missed that the till cannot tell again.
 */
export const listen = async ({ till, key, after = '', print, keep, readLists, signal }) => {
  let last = after;
  const hear = async ({ id, event, data }) => {
    // A `sale` without a number is a step on its way.
    if (event === 'sale' && data.number !== undefined) await print(data.sale);
    if (id === undefined) return;
    last = id;
    await keep(id);
  };
  while (!signal.aborted) {
    try {
      const headers = { authorization: `Bearer ${key}`, ...(last === '' ? {} : { 'last-event-id': last }) };
      const answer = await fetch(new URL('/api/events', till), { headers, signal });
      if (answer.ok) for await (const event of eventsIn(answer.body)) await hear(event);
      else {
        const { problem } = await answer.json();
        if (!['events.tooOld', 'events.elsewhere'].includes(problem.code)) throw new Error(problem.says);
        await readLists();
        last = problem.facts.here;
      }
    } catch {
      // Cut off, or the till is away: asked again in a moment.
    }
    if (!signal.aborted) await new Promise((again) => setTimeout(again, 500));
  }
};
