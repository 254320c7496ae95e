import { focusManager } from '@tanstack/react-query';

const AFTER_MS = 15 * 60_000;
const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const;

/**
 * Stops asking the service when nobody has touched the page for a quarter of an hour: requests that a page makes by itself
 * must not keep the session of somebody who has left from ending. The first touch goes on where it was.
 */
export function pauseWhenIdle(): void {
  let timer = setTimeout(pause, AFTER_MS);
  let isPaused = false;
  for (const sign of SIGNS) document.addEventListener(sign, resume, { passive: true });

  function pause(): void {
    isPaused = true;
    focusManager.setFocused(false);
  }

  function resume(): void {
    clearTimeout(timer);
    timer = setTimeout(pause, AFTER_MS);
    if (!isPaused) return;
    isPaused = false;
    // Undefined: as the browser says, whether the page is in sight.
    focusManager.setFocused(undefined);
  }
}
