/** Behind one press: the code of a decline and what it means, for whoever looks closer than the counter does. */
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useId, useState } from 'react';
import type { Result } from '../../api/ports/selling.ts';
import { useSaid } from '../words/said.ts';
import { useWords } from '../words/words.ts';
import css from './cashier.module.css';

export const DeclineDetails = ({ result: { decline, statusText } }: { result: Result }) => {
  const { t } = useWords('cashier');
  const said = useSaid();
  const [isOpen, open] = useState(false);
  const id = useId();
  const { code, means } = decline ?? {};
  const details = [code, means && said.fact(means), statusText].filter(Boolean).join(' · ');
  if (decline === undefined || details === '') return null;
  const Icon = isOpen ? IconChevronUp : IconChevronDown;
  return (
    <div className={css.details}>
      <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={() => open(!isOpen)}>
        <Icon size="1.1em" aria-hidden /> {t.details}
      </button>
      <p id={id} hidden={!isOpen}>
        <bdi>{details}</bdi>
      </p>
    </div>
  );
};
