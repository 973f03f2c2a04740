/** A broken line, and a terminal that needs new keys, as reported by the technician's service. */
import type { DiagnosisAnswer, LineCheck } from '../../../../src/api/contract/diagnosis.ts';

export const scriptedLine: LineCheck[] = [
  { what: 'name', verdict: 'good', says: 'gateway.example is at 203.0.113.7.', ms: 12.4 },
  { what: 'route', verdict: 'good', says: 'Port 443 of gateway.example accepts connections.', ms: 18.1 },
  {
    what: 'proxy',
    verdict: 'odd',
    says: 'HTTPS_PROXY names the proxy proxy.shop:3128, which the till does not use: it connects directly.',
    cure: 'If the network only allows connections through a proxy, have the gateway’s address allowed.',
  },
  {
    what: 'tls',
    verdict: 'bad',
    says: 'The certificate has expired (TLSv1.3; the certificate is for gateway.example, until 2026-11-19 23:59:59 UTC).',
    cure: 'Check this machine’s date first. If it is right, the gateway’s operator has to renew the certificate.',
    ms: 41.7,
  },
  { what: 'answer', verdict: 'bad', says: 'The gateway does not answer.', cure: 'Fix the first problem above.' },
  { what: 'clock', verdict: 'notAsked', says: 'Not tested: this needs a connection first.' },
];

export const scriptedDiagnosis: DiagnosisAnswer = {
  address: 'mpi+serial:/dev/ttyACM0',
  verdict: 'odd',
  says: 'The terminal works. The key for PINs (slot 1) has 4,210 uses left.',
  checks: [
    { what: 'Port', verdict: 'good', says: '/dev/ttyACM0 exists and is free.' },
    { what: 'Answers', verdict: 'good', says: 'It answers as Miura MPI.' },
    {
      what: 'Keys',
      verdict: 'attention',
      says: 'The key for PINs (slot 1) has 4,210 uses left.',
      cure: 'Have new keys loaded into the terminal.',
    },
    { what: 'Way', verdict: 'good', says: 'It answered all 20 questions: half within 4 ms, all within 23 ms.' },
  ],
  loopback: {
    tookMs: [],
    histogram: [
      { fromMs: 2, toMs: 5, count: 14 },
      { fromMs: 5, toMs: 10, count: 4 },
      { fromMs: 10, toMs: 20, count: 0 },
      { fromMs: 20, toMs: 50, count: 2 },
    ],
    lost: 0,
  },
};
