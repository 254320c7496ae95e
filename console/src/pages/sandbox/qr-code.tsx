import { useEffect, useRef, useState } from 'react';
import { fromBase64 } from '../../format/bytes.js';
import { t } from '../../i18n/index.js';

/** The image of a deposit's `qrCodeLocation` on a canvas: the content-security policy allows no data: images. */
export function QrCode({ id }: { readonly id: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    const controller = new AbortController();
    const paint = async (): Promise<void> => {
      const response = await fetch(`/pix/qrcode/${encodeURIComponent(id)}`, { signal: controller.signal });
      // Drawing gives way to payments: a busy service wants to be asked again a moment later.
      if (response.status === 503) {
        const seconds = Number(response.headers.get('retry-after') ?? 1);
        await new Promise((resume) => setTimeout(resume, seconds * 1000));
        return paint();
      }
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      const png = new Blob([fromBase64((await response.text()).trim())], { type: 'image/png' });
      const picture = await createImageBitmap(png);
      if (!canvas.current) return;
      canvas.current.width = picture.width;
      canvas.current.height = picture.height;
      canvas.current.getContext('2d')?.drawImage(picture, 0, 0);
    };
    paint().catch(() => {
      if (!controller.signal.aborted) setFailed(true);
    });
    return () => controller.abort();
  }, [id]);
  if (failed) return <p className="muted">{t('The code can no longer be paid, so it has no image.')}</p>;
  return <canvas ref={canvas} className="qr" role="img" aria-label={t('QR code of the deposit')} />;
}
