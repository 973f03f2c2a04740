/** Google's root signing keys: which of a set may be believed, and the set of its test environment. */
import type { GooglePaySettings, GoogleRootKeys } from '../settings.ts';
import { refuse } from '../token.ts';

/** The SubjectPublicKeyInfo of P-256 around a point's coordinates. */
const p256 = (coordinates: string): string => `MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE${coordinates}`;

/**
 * Of https://payments.developers.google.com/paymentmethodtoken/test/keys.json. Only what is signed in Google’s test
 * environment fits them; production has keys of its own, which a merchant takes from Google himself.
 */
export const testRootKeys: GoogleRootKeys = {
  keys: [
    {
      keyValue: p256('IsFro6K+IUxRr4yFTOTO+kFCCEvHo7B9IOMLxah6c977oFzX/beObH4a9OfosMHmft3JJZ6B3xpjIb8kduK4/A=='),
      protocolVersion: 'ECv1',
    },
    {
      keyValue: p256('GnJ7Yo1sX9b4kr4Aa5uq58JRQfzD8bIJXw7WXaap/hVE+PnFxvjx4nVxt79SdRuUVeu++HZD0cGAv4IOznc96w=='),
      protocolVersion: 'ECv2',
      keyExpiration: '2154841200000',
    },
  ],
};

export const rootKeysOf = ({ environment, rootKeys }: GooglePaySettings): GoogleRootKeys => {
  if (rootKeys !== undefined) return rootKeys;
  // The configuration is refused without them; a channel that was made by a program may lack them all the same.
  if (environment === 'PRODUCTION') throw refuse('this channel has no root keys of Google’s production environment');
  return testRootKeys;
};

/** Those of the version whose time is not over, base64. Without a date only ECv1’s are believed: Google says so. */
export const believedKeys = ({ keys }: GoogleRootKeys, version: string, now: number): readonly string[] => {
  const ofVersion = keys.filter(({ protocolVersion }) => protocolVersion === version);
  if (ofVersion.length === 0) throw refuse(`no root key of Google for ${version} is set for this channel`);
  const believed = ofVersion.filter(({ keyExpiration }) =>
    keyExpiration === undefined ? version === 'ECv1' : Number(keyExpiration) > now,
  );
  if (believed.length === 0) throw refuse(`every root key of Google for ${version} that is set here has expired`);
  return believed.map(({ keyValue }) => keyValue);
};
