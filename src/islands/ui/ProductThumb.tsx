import '#styles/price.css';
import './product-thumb.css';
import { useState } from 'react';
import { type Product, tintClass } from '#domain/product.ts';
import { ImageOffIcon } from './icons.tsx';

type ProductThumbProps = Pick<Product, 'id' | 'name' | 'image'>;

/** A product's picture on its tint; an icon where there is none or it fails. */
export function ProductThumb({ id, name, image }: ProductThumbProps) {
  const [failed, setFailed] = useState<string>();
  const shown = image !== '' && failed !== image;
  return (
    <div className={`thumb panel ${tintClass({ id, name })}`}>
      {shown ? (
        <img
          src={image}
          alt=""
          width={96}
          height={96}
          loading="lazy"
          decoding="async"
          onError={() => setFailed(image)}
        />
      ) : (
        <span className="panel-placeholder">
          <ImageOffIcon size={28} />
        </span>
      )}
    </div>
  );
}
