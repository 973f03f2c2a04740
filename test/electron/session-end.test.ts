/** The end of a session waits for the app's end, which waits for a sale. */
import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { holdSessionEnd, type SessionEndParts } from '../../electron/window.ts';

test.each(['query-session-end', 'shutdown'] as const)('%s is delayed, and the app asked to end gracefully', (name) => {
  const received: string[] = [];
  const window = new EventEmitter();
  const powerMonitor = new EventEmitter();
  const parts = { app: { quit: () => void received.push('quit') }, window, powerMonitor };
  holdSessionEnd(parts as unknown as SessionEndParts);
  const event = { preventDefault: () => void received.push('held') };
  (name === 'shutdown' ? powerMonitor : window).emit(name, event);
  expect(received).toEqual(['held', 'quit']);
});
