import { useState } from 'react';
import type { Product } from '#domain/product.ts';
import { tintClass } from '#domain/tint.ts';
import { safeImage } from '#domain/url.ts';
import { Icon } from './icons.tsx';

const IMAGE_OFF =
  'm2 2 20 20M10.41 10.41a2 2 0 1 1-2.83-2.83m5.92 5.92L6 21m12-9 3 3M3.59 3.59A2 2 0 0 0 3 5v14a2 2 0 0 0 2 2h14c.55 0 1.052-.22 1.41-.59M21 15V5a2 2 0 0 0-2-2H9';

interface ProductThumbProps extends Pick<Product, 'id' | 'name' | 'image'> {
  /** Its size and radius. */
  readonly className?: string;
}

/** The product's image on its tint, or an icon if there is no image or it cannot be loaded. */
export function ProductThumb({ id, name, image, className = 'size-24 rounded-panel' }: ProductThumbProps) {
  const [failed, setFailed] = useState<string>();
  // The image of a cart line comes from storage, which is not trusted.
  const source = safeImage(image);
  const shown = source !== '' && failed !== source;
  return (
    <div className={`panel flex-none ${className} ${tintClass({ id, name })}`}>
      {shown ? (
        <img
          className="p-1"
          src={source}
          alt=""
          width={96}
          height={96}
          loading="lazy"
          decoding="async"
          onError={() => setFailed(source)}
        />
      ) : (
        <span className="panel-placeholder">
          <Icon path={IMAGE_OFF} size={28} />
        </span>
      )}
    </div>
  );
}
