/** What the demonstration shop sells, and a shopper's basket as his cookie has it. */

export type Good = { id: string; name: string; says: string; cents: number; hue: 'leaf' | 'clay' | 'sky' };

export const goods: readonly Good[] = [
  { id: 'tea', name: 'Harbour tea', says: 'Black tea with bergamot, 250 g', cents: 1290, hue: 'leaf' },
  { id: 'cup', name: 'Stoneware cup', says: 'Fired twice, holds 0.3 l', cents: 2400, hue: 'clay' },
  { id: 'cloth', name: 'Linen cloth', says: 'Washed linen, 50 × 70 cm', cents: 1650, hue: 'sky' },
];

/** Pieces by good. */
export type Basket = ReadonlyMap<string, number>;

const MOST = 9;

/** `tea-2.cup-1`; what is no such thing is left out. */
export const basketOf = (text: string): Basket =>
  new Map(
    text.split('.').flatMap((part): [string, number][] => {
      const [id = '', count = ''] = part.split('-');
      const isKnown = goods.some((good) => good.id === id) && /^[1-9]$/.test(count);
      return isKnown ? [[id, Number(count)]] : [];
    }),
  );

export const basketText = (basket: Basket): string => [...basket].map(([id, count]) => `${id}-${count}`).join('.');

/** With so many more, or fewer, of it. */
export const changed = (basket: Basket, id: string, by: number): Basket => {
  const count = Math.min(MOST, Math.max(0, (basket.get(id) ?? 0) + by));
  const others = [...basket].filter(([each]) => each !== id);
  return new Map(count === 0 || !goods.some((good) => good.id === id) ? others : [...others, [id, count]]);
};

export const totalOf = (basket: Basket): number =>
  goods.reduce((sum, { id, cents }) => sum + cents * (basket.get(id) ?? 0), 0);

/** As the host API wants it. */
export const amountOf = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

export const priced = (cents: number): string => `€ ${amountOf(cents)}`;
