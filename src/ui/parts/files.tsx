/** Files in and out. Uploads by drag and drop, button or keyboard, with their progress. */
import { Button, Progress, Text } from '@mantine/core';
import { type DragEvent, useRef, useState } from 'react';
import { after } from '../clock.ts';
import { IconFileUpload } from '../icons/icons.ts';

type Props = {
  texts: { drop: string; hint: string; choose: string };
  /** The file types that the chooser offers first: `.csv`. */
  accept: string;
  /** 0 to 1 while a file is being sent. */
  progress?: { share: number; says: string } | undefined;
  onFile(file: File): void;
  /** Something other than a file was dropped. */
  onNone(): void;
};

export const DropZone = ({ texts, accept, progress, onFile, onNone }: Props) => {
  const chooser = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const take = (files: FileList | null): void => {
    const [file] = files ?? [];
    if (file === undefined) onNone();
    else onFile(file);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(false);
    if (progress === undefined) take(event.dataTransfer.files);
  };
  return (
    <section
      className="m-drop"
      aria-label={texts.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <IconFileUpload size={44} />
      <Text fw={600} size="lg">
        {progress?.says ?? texts.drop}
      </Text>
      {progress === undefined ? (
        <>
          <Text c="dimmed">{texts.hint}</Text>
          <Button onClick={() => chooser.current?.click()}>{texts.choose}</Button>
        </>
      ) : (
        <Progress
          w="min(30rem, 100%)"
          size="xl"
          value={progress.share * 100}
          animated={progress.share === 1}
          aria-label={progress.says}
        />
      )}
      <input
        ref={chooser}
        type="file"
        accept={accept}
        hidden
        aria-hidden
        tabIndex={-1}
        onChange={({ currentTarget }) => {
          take(currentTarget.files);
          currentTarget.value = '';
        }}
      />
    </section>
  );
};

// Files from the till, saved by the browser under the till's name for them.

/** Some browsers read the bytes only after the click was handled. */
const KEEP_MS = 60_000;

/** Saves an answer's body. The answer must be successful: `refusalIn` reports the errors of others. */
export const saveAnswer = async (answer: Pick<Response, 'headers' | 'blob'>, name = 'tillgate'): Promise<void> => {
  const text = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1];
  saveBlob(await answer.blob(), text ?? name);
};

export const saveBlob = (blob: Blob, name: string): void => {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  after(KEEP_MS, () => URL.revokeObjectURL(url));
};
