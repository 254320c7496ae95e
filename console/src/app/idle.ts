import { focusManager } from '@tanstack/react-query';

const AFTER_MS = 15 * 60_000;
const EVENTS = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const;

/**
 * Pauses polling after 15 minutes without input: a page's own requests must not keep the session of an absent user
 * alive. The next input resumes it.
 */
export function pauseWhenIdle(): void {
  let timer = setTimeout(pause, AFTER_MS);
  let isPaused = false;
  for (const event of EVENTS) document.addEventListener(event, resume, { passive: true });

  function pause(): void {
    isPaused = true;
    focusManager.setFocused(false);
  }

  function resume(): void {
    clearTimeout(timer);
    timer = setTimeout(pause, AFTER_MS);
    if (!isPaused) return;
    isPaused = false;
    // Undefined: the browser decides by the page's visibility.
    focusManager.setFocused(undefined);
  }
}
