/** The page's process ends or does not answer: the window's reaction, and when it asks a person. */
import { EventEmitter } from 'node:events';
import type { BrowserWindow, MessageBoxOptions } from 'electron';
import { beforeEach, expect, test } from 'vitest';
import { watchPage } from '../../electron/page-watch.ts';
import { type VirtualClock, virtualClock } from '../support/time/virtual-clock.ts';

const FIRST = 'till://app/';
/** Longer than any delay before a page is reloaded. */
const LONG_MS = 15_000;

let clock: VirtualClock;
let window: EventEmitter;
let contents: EventEmitter;
/** The window's actions, the reports, the dialogs. */
let actions: string[];
let reports: string[];
let questions: { options: MessageBoxOptions; answer(button: number): void }[];
let isDestroyed: boolean;

beforeEach(() => {
  clock = virtualClock();
  actions = [];
  reports = [];
  questions = [];
  isDestroyed = false;
  contents = Object.assign(new EventEmitter(), {
    forcefullyCrashRenderer() {
      actions.push('ended');
      end('killed');
    },
  });
  window = Object.assign(new EventEmitter(), {
    webContents: contents,
    isDestroyed: () => isDestroyed,
    reload: () => void actions.push('reload'),
    loadURL: async (url: string) => void actions.push(url),
  });
  const dialog = {
    showMessageBox: (_: unknown, options: MessageBoxOptions) =>
      new Promise((resolve) => {
        const answer = (button: number): void => resolve({ response: button, checkboxChecked: false });
        questions.push({ options, answer });
        options.signal?.addEventListener('abort', () => answer(options.cancelId ?? 0));
      }),
  };
  const crash = (process: string, how: string): string => `${reports.push(`${process}: ${how}`)}.txt`;
  watchPage({ clock, window: window as unknown as BrowserWindow, dialog: dialog as never, crash });
});

const end = (reason = 'crashed'): void => void contents.emit('render-process-gone', {}, { reason, exitCode: 5 });

const endTimes = async (count: number): Promise<void> => {
  for (let n = 0; n < count; n += 1) {
    end();
    await clock.advance(LONG_MS);
  }
};

test('reloads the same page at once, then the first one at growing intervals, and then asks a person', async () => {
  end();
  await clock.advance(0);
  expect(actions).toEqual(['reload']);
  for (const wait of [1_000, 5_000, 15_000]) {
    const actionCount = actions.length;
    end('oom');
    await clock.advance(wait - 1);
    expect(actions).toHaveLength(actionCount);
    await clock.advance(1);
    expect(actions.slice(actionCount)).toEqual([FIRST]);
  }
  end();
  await clock.advance(3_600_000);
  expect([actions.length, questions.length]).toEqual([4, 1]);
  expect(questions[0]?.options).toMatchObject({ buttons: ['Open the page again'] });
  expect(questions[0]?.options.detail).toContain('A sale in progress continues without the page and is not lost.');
  expect(questions[0]?.options.detail).toContain('with the file 5.txt');
  expect(reports).toEqual(['crashed', 'oom', 'oom', 'oom', 'crashed'].map((reason) => `page: ${reason}, exit code 5`));
});

test('a person opens it again, and all starts anew', async () => {
  await endTimes(5);
  questions[0]?.answer(0);
  await clock.settle();
  expect(actions.slice(4)).toEqual([FIRST]);
  await endTimes(5);
  expect([actions.length, questions.length]).toEqual([9, 2]);
});

test('ends far apart never ask anybody', async () => {
  for (let n = 0; n < 20; n += 1) {
    end();
    await clock.advance(100_000);
  }
  expect([actions.length, questions.length]).toEqual([20, 0]);
});

test('a normal end does not count, and a window that was closed meanwhile is left alone', async () => {
  end('clean-exit');
  await clock.advance(LONG_MS);
  expect([actions, reports]).toEqual([[], []]);
  end();
  isDestroyed = true;
  await clock.advance(LONG_MS);
  expect(actions).toEqual([]);
});

test('a page that does not answer is reported and asked about once, and ended only by a person', async () => {
  window.emit('unresponsive');
  window.emit('unresponsive');
  await clock.advance(3_600_000);
  expect([actions, reports, questions.length]).toEqual([[], ['page: it does not answer'], 1]);
  questions[0]?.answer(1);
  await clock.settle();
  await clock.advance(0);
  expect(actions).toEqual(['ended', 'reload']);
});

test.each([
  ['answers again', () => void window.emit('responsive')],
  ['ends by itself', () => end()],
  ['is waited for', () => questions[0]?.answer(0)],
])('a page that %s is not ended, and may be asked about again', async (_, next) => {
  window.emit('unresponsive');
  next();
  await clock.settle();
  expect(actions).not.toContain('ended');
  window.emit('unresponsive');
  expect(questions).toHaveLength(2);
});
