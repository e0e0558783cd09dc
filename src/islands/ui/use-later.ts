import { type ComponentType, useEffect, useState } from 'react';

/** Loads the code of a component when it is wanted; undefined until then. Calls `failed` if it cannot be loaded. */
export function useLater<Props>(
  isWanted: boolean,
  fetchPart: () => Promise<ComponentType<Props>>,
  failed?: () => void,
): ComponentType<Props> | undefined {
  const [Part, setPart] = useState<ComponentType<Props>>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: how it is fetched never changes
  useEffect(() => {
    if (!isWanted) return;
    let isCurrent = true;
    fetchPart().then(
      (part) => isCurrent && setPart(() => part),
      () => isCurrent && failed?.(),
    );
    return () => {
      isCurrent = false;
    };
  }, [isWanted]);
  return Part;
}
