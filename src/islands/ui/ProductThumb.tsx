import '#styles/price.css';
import './product-thumb.css';
import { useState } from 'react';
import { type Product, tintClass } from '#domain/product.ts';
import { safeImage } from '#domain/redirect.ts';
import { ImageOffIcon } from './icons.tsx';

type ProductThumbProps = Pick<Product, 'id' | 'name' | 'image'>;

/** A product's picture on its tint; an icon where there is none or it fails. */
export function ProductThumb({ id, name, image }: ProductThumbProps) {
  const [failed, setFailed] = useState<string>();
  // A cart line's picture comes from storage, where anybody may have written (faults 27).
  const source = safeImage(image);
  const shown = source !== '' && failed !== source;
  return (
    <div className={`thumb panel ${tintClass({ id, name })}`}>
      {shown ? (
        <img
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
          <ImageOffIcon size={28} />
        </span>
      )}
    </div>
  );
}
