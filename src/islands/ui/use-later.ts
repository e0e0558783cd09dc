import { type ComponentType, useEffect, useState } from 'react';

/**
 * A part whose code comes once it is wanted; nothing until then. Where it cannot come, `failed` may stand in for it.
 */
export function useLater<Props>(
  isWanted: boolean,
  fetchPart: () => Promise<ComponentType<Props>>,
  failed?: () => void,
): ComponentType<Props> | undefined {
  const [Part, setPart] = useState<ComponentType<Props>>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: how it is fetched never changes
  useEffect(() => {
    if (!isWanted) return;
    let isHere = true;
    fetchPart().then(
      (part) => isHere && setPart(() => part),
      () => isHere && failed?.(),
    );
    return () => {
      isHere = false;
    };
  }, [isWanted]);
  return Part;
}
