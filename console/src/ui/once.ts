import { useRef } from 'react';

/** Begins an act unless one is under way: the second click of a double click comes before `isPending` does. */
export function useOnce(): (begin: (ended: () => void) => void) => void {
  const underWay = useRef(false);
  return (begin) => {
    if (underWay.current) return;
    underWay.current = true;
    begin(() => (underWay.current = false));
  };
}
