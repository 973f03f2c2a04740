/** A question or form over the page. Escape and the close button close it; the focus returns to where it was. */
import { Group, Modal, type ModalProps, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWords } from '../locale/use-words.ts';

type Props = {
  opened: boolean;
  title: string;
  onClose: () => void;
  /** Buttons, the safe one first. They are always at the bottom, in the same place. */
  actions?: ReactNode;
  size?: ModalProps['size'];
  /** Closed only by its buttons, for what must be answered. */
  firm?: boolean;
  children: ReactNode;
};

export const Dialog = ({ opened, title, onClose, actions, size = 'md', firm = false, children }: Props) => {
  const { shared } = useWords('signIn');
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      classNames={{ title: 'tg-dialog-title' }}
      size={size}
      yOffset="var(--tg-dialog-edge)"
      centered
      withCloseButton={!firm}
      closeOnClickOutside={false}
      closeOnEscape={!firm}
      closeButtonProps={{ 'aria-label': shared.close, size: 'xl' }}
      transitionProps={{ duration: 0 }}
    >
      <Stack>
        {children}
        {actions && (
          <Group justify="flex-end" gap="sm">
            {actions}
          </Group>
        )}
      </Stack>
    </Modal>
  );
};
