import '#styles/button.css';
import '#styles/button-more.css';
import './account.css';
import '#islands/ui/spinner.css';
import '#styles/skeleton.css';
