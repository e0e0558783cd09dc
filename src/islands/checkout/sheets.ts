/*
 * The style sheets of this island. Its pages import this module and get the styles inline. The components must not
 * import them, because a script that is loaded later would request them as files, which do not exist.
 */
import './checkout.css';
import '#styles/skeleton.css';
import '#styles/button.css';
import '#islands/ui/empty-cart.css';
import '#islands/ui/steps.css';
import '#styles/button-more.css';
import '#islands/ui/spinner.css';
import '#styles/field.css';
import '#islands/ui/price-change.css';
import '#islands/ui/totals.css';
import '#styles/price.css';
import '#islands/ui/product-thumb.css';
