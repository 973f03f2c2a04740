/** Saves files that the till writes, and uploads settlement files with their progress. */

import type { Problem } from '../../api/contract/problem.ts';
import type { ReconciliationDetail } from '../../api/contract/reconciliations.ts';
import { csrfToken, noticeStatus, RequestRefused, readersLanguage, refusalIn } from '../api.ts';
import { saveAnswer } from '../parts/files.tsx';

type FileRequest = { of: string; as: 'csv' | 'pdf'; query: Readonly<Record<string, string | number>> };

/** Throws `RequestRefused` instead of saving a refusal as a file. */
export const fetchFile = async ({ of, as, query }: FileRequest): Promise<void> => {
  const search = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]));
  const address = `/api/downloads/${of}/${as}?${search}`;
  const headers = { 'accept-language': readersLanguage() };
  const response = await fetch(address, { credentials: 'same-origin', headers }).catch(() => Response.error());
  noticeStatus(response.status);
  if (!response.ok) throw await refusalIn(response);
  await saveAnswer(response, `${of}.${as}`);
};

type ProgressTarget = { onShare(share: number): void };

/** Uploads the file; `onShare` is called with the share sent so far, 0 to 1. Throws `RequestRefused`. */
export const sendFile = (file: File, { onShare }: ProgressTarget): Promise<ReconciliationDetail> =>
  new Promise((resolve, reject) => {
    const form = new FormData();
    form.append('file', file);
    // Only this kind of request reports upload progress.
    const request = new XMLHttpRequest();
    request.open('POST', '/api/reconciliations');
    request.setRequestHeader('x-csrf-token', csrfToken());
    request.responseType = 'text';
    request.upload.onprogress = ({ loaded, total }) => onShare(total === 0 ? 0 : loaded / total);
    request.onerror = () => reject(refusalOf(request));
    request.onload = () => {
      noticeStatus(request.status);
      if (request.status < 300) resolve(JSON.parse(request.responseText) as ReconciliationDetail);
      else reject(refusalOf(request));
    };
    request.send(form);
  });

const refusalOf = ({ status, responseText }: XMLHttpRequest): RequestRefused => {
  const unknown: Problem = {
    code: 'till.away',
    says: 'The till program does not answer',
    money: 'No money was moved.',
    next: 'Wait a moment, then send the file again: nothing is booked twice.',
    remedy: 'retry',
  };
  try {
    return new RequestRefused((JSON.parse(responseText) as { problem: Problem }).problem ?? unknown, status);
  } catch {
    return new RequestRefused(unknown, status);
  }
};
