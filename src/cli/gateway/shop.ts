/** `npm run shop`: a demonstration shop with the payment widget, at its own gateway or a named one. */
import type { Command } from 'commander';
import { systemClock as clock } from '../../base/clock.ts';
import { errorText, Fault } from '../../base/fault.ts';
import { isBaseAddress, isGatewayAddress } from '../../base/gateway-address.ts';
import { systemIds, systemRandom } from '../../base/ids.ts';
import { printable } from '../../base/mask.ts';
import { openGateway } from '../../gateway/server/embedded.ts';
import { type HttpListener, listen } from '../../gateway/server/http/listen.ts';
import { languageOf } from '../../gateway/widget/browser/languages.ts';
import { flows } from '../../shop/flows.ts';
import type { ShopGateway } from '../../shop/gateway.ts';
import { openShop } from '../../shop/shop.ts';
import { malformed, portOf } from '../arguments.ts';
import { waitForStop } from '../stop-signals.ts';
import { print, tell } from '../terms.ts';

type ShopFlags = {
  port: string;
  gateway?: string;
  entity?: string;
  token?: string;
  locale: string;
  json?: true;
};

const HOST = '127.0.0.1';

const AFTERWORDS = `
Without --gateway a gateway runs in this process, with a channel that simulates everything: no money moves, and what
was paid is forgotten at the end. Open the address in a browser; the payment page names the test cards.`;

export const addShop = (program: Command): void => {
  program
    .command('shop')
    .description('a demonstration shop with the payment widget, for a browser on this machine')
    .option('--port <n>', 'TCP port on 127.0.0.1; 0 takes a free one', '8090')
    .option('--gateway <url>', 'a running gateway, such as http://127.0.0.1:8080/')
    .option('--entity <id>', 'with --gateway: the channel, 32 lower-case hex digits')
    .option('--token <token>', 'with --gateway: its access token')
    .option('--locale <language>', 'language of the payment until the shopper chooses', 'en')
    .option('--json', 'the addresses as JSON')
    .addHelpText('after', AFTERWORDS)
    .action(runShop);
};

const runShop = async (flags: ShopFlags): Promise<void> => {
  const locale = languageOf(flags.locale);
  if (locale === undefined) throw malformed(`"${flags.locale}" is none of the widget’s languages`);
  const port = portOf(flags.port);
  const end = waitForStop();
  const gateway = flags.gateway === undefined ? await ownGateway() : { access: accessOf(flags), close: async () => {} };
  let server: HttpListener | undefined;
  try {
    let address = '';
    const shop = openShop({ gateway: gateway.access, address: () => address, locale });
    const refuse = (status: number, why: string): Response => new Response(`${why}\n`, { status });
    server = await listen({ app: { fetch: shop.fetch, refuse }, port, host: HOST });
    address = `http://${HOST}:${server.port}/`;
    announce(address, gateway.access, flags.json === true);
    await end;
  } finally {
    await server?.close();
    await gateway.close();
  }
};

const accessOf = ({ gateway = '', entity, token }: ShopFlags): ShopGateway => {
  const url = URL.canParse(gateway) ? new URL(gateway) : undefined;
  const address = url === undefined || url.href.endsWith('/') ? url?.href : `${url.href}/`;
  if (address === undefined || !isBaseAddress(address)) throw malformed(`"${gateway}" is not a gateway’s address`);
  if (!isGatewayAddress(address)) throw new Fault('gateway.plain', { url: address });
  if (!/^[0-9a-f]{32}$/.test(entity ?? '')) throw malformed('--gateway needs --entity, 32 lower-case hex digits');
  if (token === undefined) throw malformed('--gateway needs --token');
  return { baseUrl: address, entityId: entity ?? '', token };
};

/** On a separate port, because a shop and its gateway have different origins. */
const ownGateway = async (): Promise<{ access: ShopGateway; close: () => Promise<void> }> => {
  const entityId = systemIds.next();
  const token = Buffer.from(systemRandom(24)).toString('base64url');
  const gateway = await openGateway({
    dataDir: ':memory:',
    channels: [{ entityId, token, name: 'Nordwind', threeDSecure: { enabled: true, whenNotPossible: 'refuse' } }],
    clock,
    ids: systemIds,
    random: systemRandom,
    allowPrivateUrls: true,
    report: (error) => tell(`Inside the gateway: ${printable(errorText(error))}`),
  });
  const server = await listen({ app: gateway, port: 0, host: HOST });
  return {
    access: { baseUrl: `http://${HOST}:${server.port}/`, entityId, token },
    async close() {
      await server.close();
      await gateway.close();
    },
  };
};

const announce = (address: string, { baseUrl, entityId }: ShopGateway, json: boolean): void => {
  if (json) {
    print(JSON.stringify({ shop: address, gateway: baseUrl, entityId }));
    return;
  }
  print(`The shop is open: ${address}`);
  print(`Its gateway:      ${baseUrl}`);
  print('\nTest data:');
  for (const { term: what, effect: does } of flows[0].hints) print(`  ${what.padEnd(28)} ${does}`);
  print('\nControl-C closes it.');
};
