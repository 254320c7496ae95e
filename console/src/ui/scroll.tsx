import { type ReactNode, useEffect, useRef, useState } from 'react';

interface Props {
  readonly label: string;
  readonly children: ReactNode;
}

/**
 * Content that may be wider than the screen. It can then be scrolled by keyboard (axe, scrollable-region-focusable).
 */
export function Scroll({ label, children }: Props) {
  const [place, scrolls] = useScrolls<HTMLDivElement>();
  return (
    <div ref={place} className="scroll" {...(scrolls && { role: 'region', 'aria-label': label, tabIndex: 0 })}>
      {children}
    </div>
  );
}

/** Preformatted text in a box of limited height. */
export function Verbatim({ label, children }: Props) {
  const [place, scrolls] = useScrolls<HTMLPreElement>();
  return (
    <pre ref={place} className="payload mono" {...(scrolls && { role: 'region', 'aria-label': label, tabIndex: 0 })}>
      {children}
    </pre>
  );
}

/** Whether an element's content is larger than itself, now and when its size changes. */
function useScrolls<Place extends HTMLElement>() {
  const place = useRef<Place>(null);
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const element = place.current!;
    const measure = () =>
      setScrolls(element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    if (element.firstElementChild) observer.observe(element.firstElementChild);
    return () => observer.disconnect();
  }, []);
  return [place, scrolls] as const;
}
